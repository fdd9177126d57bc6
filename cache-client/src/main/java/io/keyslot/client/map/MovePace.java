// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/**
 * How fast a move goes. Part of the move, so that nothing is left behind that somebody would have to undo.
 *
 * @param bytesPerSecond the most that is copied in a second, at least 1
 * @param share the most of the time that is used for copying and removing, in percent: what is left belongs to the applications.
 *     As a batch takes longer where applications work, the pause behind it does as well
 * @param isPaused whether nothing is copied at present
 */
public record MovePace(long bytesPerSecond, int share, boolean isPaused) {
    /** All of the time. */
    public static final int WHOLE = 100;

    /** No bound. */
    public static final MovePace FULL = new MovePace(MapStamp.HIGHEST_VERSION, WHOLE, false);

    /** What a move does unless somebody says something else: applications go on nearly as if it was not there. */
    public static final MovePace MODEST = new MovePace(MapStamp.HIGHEST_VERSION, 15, false);

    public MovePace {
        if (bytesPerSecond < 1 || bytesPerSecond > MapStamp.HIGHEST_VERSION) {
            throw new IllegalArgumentException(
                    "A move of %d bytes a second: must be from 1 to 2^53".formatted(bytesPerSecond));
        }
        if (share < 1 || share > WHOLE) {
            throw new IllegalArgumentException(
                    "A move that takes %d percent of the time: must be from 1 to 100".formatted(share));
        }
    }

    public MovePace withRate(long changed) {
        return new MovePace(changed, share, isPaused);
    }

    public MovePace withShare(int changed) {
        return new MovePace(bytesPerSecond, changed, isPaused);
    }

    public MovePace paused(boolean changed) {
        return new MovePace(bytesPerSecond, share, changed);
    }
}

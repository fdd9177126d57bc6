// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/**
 * How fast a move goes. Part of the move, so that nothing is left behind that somebody would have to undo.
 *
 * @param bytesPerSecond the most that is copied in a second, at least 1
 * @param isPaused whether nothing is copied at present
 */
public record MovePace(long bytesPerSecond, boolean isPaused) {
    /** No bound. */
    public static final MovePace FULL = new MovePace(MapStamp.HIGHEST_VERSION, false);

    public MovePace {
        if (bytesPerSecond < 1 || bytesPerSecond > MapStamp.HIGHEST_VERSION) {
            throw new IllegalArgumentException(
                    "A move of %d bytes a second: must be from 1 to 2^53".formatted(bytesPerSecond));
        }
    }

    public MovePace withRate(long changed) {
        return new MovePace(changed, isPaused);
    }

    public MovePace paused(boolean changed) {
        return new MovePace(bytesPerSecond, changed);
    }
}

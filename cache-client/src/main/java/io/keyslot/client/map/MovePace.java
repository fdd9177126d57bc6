// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

/**
 * The speed of a move: the maximum bytes copied per second, and the maximum percentage of the time for copying and
 * removing; a batch takes longer on a busy server, and so does the pause after it. It is part of the move, so that it
 * ends with it.
 */
public record MovePace(long bytesPerSecond, int share, boolean isPaused) {
    public static final int WHOLE = 100;

    public static final MovePace FULL = new MovePace(MapStamp.HIGHEST_VERSION, WHOLE, false);

    /** The default of a move, which hardly affects applications. */
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

    /** Returns the pace of each of several moves that have this one together. What is unlimited stays so. */
    public MovePace sharedBy(int moves) {
        long bytes = bytesPerSecond == FULL.bytesPerSecond ? bytesPerSecond : Math.max(1, bytesPerSecond / moves);
        return new MovePace(bytes, share == WHOLE ? share : Math.max(1, share / moves), isPaused);
    }

    public MovePace paused(boolean changed) {
        return new MovePace(bytesPerSecond, share, changed);
    }
}

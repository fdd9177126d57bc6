// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * How many slots change their owner at once: as many as can in a pause that nobody notices. Most of a pause is the same for one
 * slot and for many, so a move of many slots is over sooner with large chunks, and small ones help only against what is
 * written all the time.
 */
record ChunkSize(int slots) {
    /** Chunks become larger until this. */
    private static final Duration LONG = Duration.ofMillis(10);

    private static final int FIRST = 64;
    private static final int MOST = 256;

    static ChunkSize first() {
        return new ChunkSize(FIRST);
    }

    /** Returns the size after a chunk was handed over. */
    ChunkSize after(SlotHandover.Chunk done) {
        int handedOver = done.slots().size();
        if (handedOver < slots) {
            return new ChunkSize(handedOver);
        }
        return done.pause().compareTo(LONG) < 0
                ? new ChunkSize(Math.min(MOST, slots * 2))
                : new ChunkSize(Math.max(Math.min(FIRST, slots), slots / 2));
    }
}

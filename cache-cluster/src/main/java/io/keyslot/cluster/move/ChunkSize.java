// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * How many slots change their owner at once. Each slot waits once, for the pause of its chunk; a long pause should
 * affect few slots, and each chunk is a map that all clients adopt. So slots times pause are at most
 * {@value #SLOT_MILLIS} slot milliseconds. The first chunk is one slot, because the first cutover is the slowest; each
 * is at most {@value #GROWTH} times as large as the one before. However long pauses are, chunks eventually have
 * {@value #FEWEST} slots, so that the move ends, unless writes are faster than the copy.
 */
record ChunkSize(int slots) {
    static final long SLOT_MILLIS = 1_280;
    static final int GROWTH = 4;
    static final int FEWEST = 64;
    static final int MOST = 256;

    static ChunkSize first() {
        return new ChunkSize(1);
    }

    ChunkSize after(Cutover.Chunk done) {
        int handedOver = done.slots().size();
        if (handedOver < slots) {
            return new ChunkSize(handedOver); // writes are faster than the copy
        }
        long allowed = Duration.ofMillis(SLOT_MILLIS).toNanos()
                / Math.max(1, done.pause().toNanos());
        return new ChunkSize((int) Math.min((long) slots * GROWTH, Math.max(FEWEST, Math.min(MOST, allowed))));
    }
}

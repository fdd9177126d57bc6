// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * How many slots change their owner at once. Each slot waits once, for as long as the pause of its chunk, so small chunks make nobody wait
 * less; but a pause that is long is to be one of few slots, and each chunk is a map that all clients adopt.
 *
 * <p>So slots times pause are {@value #SLOT_MILLIS} slots for a millisecond at most. The first chunk is one slot, as nothing is known
 * yet, and what is done for the first time takes longest. A chunk is {@value #GROWTH} times as large as the one before at most. However
 * long pauses are, chunks have {@value #FEWEST} slots in the end, unless more is written than can be copied in time: the move has to end.
 */
record ChunkSize(int slots) {
    static final long SLOT_MILLIS = 1_280;
    static final int GROWTH = 4;
    static final int FEWEST = 64;
    static final int MOST = 256;

    static ChunkSize first() {
        return new ChunkSize(1);
    }

    /** Returns the size after a chunk was handed over. */
    ChunkSize after(Cutover.Chunk done) {
        int handedOver = done.slots().size();
        if (handedOver < slots) {
            return new ChunkSize(handedOver); // more is written than can be copied in time
        }
        long allowed = Duration.ofMillis(SLOT_MILLIS).toNanos()
                / Math.max(1, done.pause().toNanos());
        return new ChunkSize((int) Math.min((long) slots * GROWTH, Math.max(FEWEST, Math.min(MOST, allowed))));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * How many slots change their owner at once: as many as make slots and the time for which they are not written no more than
 * {@value #SLOT_MILLIS} slots for a millisecond. So a long pause is one of few slots, and hardly anybody meets it.
 *
 * <p>The first chunk is one slot, as nothing is known yet, and what is done for the first time takes longest. A chunk is twice as large
 * as the one before at most. Chunks that only become smaller because pauses are long have {@value #FEWEST} slots still: the move has
 * to end, and most of a pause is the same for one slot and for many.
 */
record ChunkSize(int slots) {
    static final long SLOT_MILLIS = 640;
    static final int FEWEST = 16;
    static final int MOST = 256;

    static ChunkSize first() {
        return new ChunkSize(1);
    }

    /** Returns the size after a chunk was handed over. */
    ChunkSize after(SlotHandover.Chunk done) {
        int handedOver = done.slots().size();
        if (handedOver < slots) {
            return new ChunkSize(handedOver); // more is written than can be copied in time
        }
        long allowed = Duration.ofMillis(SLOT_MILLIS).toNanos()
                / Math.max(1, done.pause().toNanos());
        return new ChunkSize((int) Math.min(slots * 2L, Math.max(FEWEST, Math.min(MOST, allowed))));
    }
}

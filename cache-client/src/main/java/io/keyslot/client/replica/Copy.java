// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.entry.Freshness;
import io.keyslot.client.stored.Envelope;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An entry as a partition has it that does not own its slot: the entry, and in which life of the owner it was read there.
 * When the owner lost its entries, the copies count as lost too, without anybody having to look for them.
 *
 * <p>In the stored form the epoch stands before the value: 4 bytes of the payload.
 *
 * @param homeEpoch the epoch of the slot's owner
 * @param entry the entry, with the stamp that it has there
 */
record Copy(int homeEpoch, Envelope entry) {
    /** Returns what is to be stored. */
    Envelope stored() {
        ByteBuffer value = entry.payload();
        byte[] payload = ByteBuffer.allocate(Integer.BYTES + value.remaining())
                .putInt(homeEpoch)
                .put(value)
                .array();
        return envelope(entry, payload);
    }

    /** Reads what was stored; empty if it is no copy. */
    static Optional<Copy> read(Envelope stored) {
        ByteBuffer payload = stored.payload();
        if (payload.remaining() < Integer.BYTES) {
            return Optional.empty();
        }
        int homeEpoch = payload.getInt();
        byte[] value = new byte[payload.remaining()];
        payload.get(value);
        return Optional.of(new Copy(homeEpoch, envelope(stored, value)));
    }

    /** Who has claimed a stale entry is of no interest where it is only read: stale ones are not copied. */
    private static Envelope envelope(Envelope like, byte[] payload) {
        long freshUntil = Freshness.of(like.freshUntilMillis()).until();
        return freshUntil == 0 ? Envelope.of(like.stamp(), payload) : Envelope.timed(like.stamp(), freshUntil, payload);
    }
}

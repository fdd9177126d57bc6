// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * What entries of one cache may be assumed to be, without asking their partitions, by a change that is applied only if they are: what
 * this process stored last in them, if what it replaced was its own as well. Safe for use by several threads.
 *
 * <p>So who shares an entry with others assumes seldom. Where a share {@code p} of the changes of an entry is this process's, by chance, one
 * takes {@code 2 + p - 2p²} round trips: one if it is alone, 2.125 at most, where it would take two.
 *
 * @param <V> the type of the values
 */
public final class AssumedEntries<V> {
    private final RecentWrites writes;
    private final ValueCoder<V> coder;

    AssumedEntries(RecentWrites writes, ValueCoder<V> coder) {
        this.writes = writes;
        this.coder = coder;
    }

    /** Returns what the entry may be assumed to be; null if it is to be read. */
    @Nullable
    public Answer<V> of(EncodedKey key) {
        Envelope envelope = writes.of(key);
        V value = envelope == null ? null : decoded(envelope);
        return envelope == null || value == null ? null : Answer.fresh(value, envelope.stamp());
    }

    private @Nullable V decoded(Envelope envelope) {
        try {
            return coder.decodeOrNull(envelope);
        } catch (CodecException e) {
            return null; // as it is read, this is told
        }
    }

    /**
     * What was stored has taken the place of what had this stamp, {@link io.keyslot.client.partition.Command#ABSENT} for nothing. Comes behind
     * what is told of all changes of this process, by which what was assumed is forgotten.
     */
    public void stored(EncodedKey key, long replacedStamp, Envelope envelope) {
        if (envelope.freshUntilMillis() == 0 && coder.isOwn(replacedStamp)) {
            writes.keep(key, envelope);
        }
    }

    /** The entry is read the next time. */
    public void forget(EncodedKey key) {
        writes.forget(key);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The values that a conditional change may assume for entries of one cache without reading them: the value that this
 * process stored last, if the value which it replaced was stored by this process, too. Thread-safe.
 *
 * <p>So an entry that several processes change is rarely assumed. If this process makes a random share {@code p} of the
 * changes of an entry, a change takes {@code 2 + p - 2p²} round trips: one if {@code p} is 1, and at most 2.125, not
 * two.
 */
public record AssumedEntries<V>(RecentWrites writes, ValueCoder<V> coder) {
    /** Returns the assumed entry, or null if it has to be read. */
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
            return null; // reading the entry reports the failure
        }
    }

    /**
     * Records that a value replaced the one with this stamp; call it after {@link EntryChanges#stored}, which forgets
     * it.
     */
    public void stored(EncodedKey key, long replacedStamp, Envelope envelope) {
        if (envelope.freshUntilMillis() == 0 && coder.isOwn(replacedStamp)) {
            writes.keep(key, envelope);
        }
    }

    public void forget(EncodedKey key) {
        writes.forget(key);
    }
}

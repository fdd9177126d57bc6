// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import org.jspecify.annotations.Nullable;

/** The form of entries in a partition of one epoch. */
record EntryForm(int epoch) {
    public Lookup read(EncodedKey key, @Nullable EmbeddedEntry stored) {
        if (stored == null) {
            return Lookup.absent();
        }
        return stored.aggregate() == null
                ? key.form().readShared(key, epoch, stored.bytes())
                : Lookup.without(Lookup.Outcome.MALFORMED);
    }

    /** Returns whether the value is no entry of this key: bytes without its envelope, or an aggregate. */
    public boolean isForeign(EncodedKey key, @Nullable EmbeddedEntry stored) {
        return stored != null && (stored.aggregate() != null || !key.form().isOurs(key, stored.bytes()));
    }

    /** Returns the entry that replaces the present value, which may not be an entry. */
    public EmbeddedEntry put(
            EncodedKey key,
            Envelope envelope,
            @Nullable EmbeddedEntry present,
            Expiry onCreation,
            Expiry onUpdate,
            long nowNanos) {
        boolean isEntry =
                present != null && present.aggregate() == null && key.form().isEntry(key, epoch, present.bytes());
        return isEntry
                ? entry(key, envelope, present, onUpdate, nowNanos)
                : entry(key, envelope, null, onCreation, nowNanos);
    }

    /** Returns the entry to store, whose unchanged expiry is that of {@code before}, if that is not null. */
    public EmbeddedEntry entry(
            EncodedKey key, Envelope envelope, @Nullable EmbeddedEntry before, Expiry expiry, long nowNanos) {
        byte[] bytes = key.form().bytes(key, epoch, envelope);
        EmbeddedEntry next = before == null ? EmbeddedEntry.lasting(bytes) : before.withBytes(bytes);
        return next.expiring(expiry, nowNanos);
    }
}

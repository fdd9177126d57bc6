// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Lookup;
import org.jspecify.annotations.Nullable;

/** What an entry looks like in a partition of this epoch. */
record EntryForm(int epoch) {
    /** Says what is under the key. */
    Lookup read(EncodedKey key, @Nullable EmbeddedEntry stored) {
        return stored == null ? Lookup.absent() : Envelope.readShared(key, epoch, stored.bytes());
    }

    /** Returns whether there is something under the key that was not stored as its entry: bytes without its envelope, or an aggregate. */
    boolean isStranger(EncodedKey key, @Nullable EmbeddedEntry stored) {
        return stored != null && (stored.aggregate() != null || !Envelope.isOurs(key, stored.bytes()));
    }

    /** Returns the entry that is to be under the key, in place of what is there, whether or not it is an entry. */
    EmbeddedEntry put(
            EncodedKey key,
            Envelope envelope,
            @Nullable EmbeddedEntry present,
            Expiry onCreation,
            Expiry onUpdate,
            long nowNanos) {
        boolean isEntry = present != null && Envelope.outcomeOf(key, epoch, present.bytes()) == Lookup.Outcome.FOUND;
        return isEntry
                ? entry(key, envelope, present, onUpdate, nowNanos)
                : entry(key, envelope, null, onCreation, nowNanos);
    }

    /** @param before the entry whose expiry it has if that is to be unchanged, null for none */
    EmbeddedEntry entry(
            EncodedKey key, Envelope envelope, @Nullable EmbeddedEntry before, Expiry expiry, long nowNanos) {
        byte[] bytes = envelope.toBytes(key, epoch);
        EmbeddedEntry next = before == null ? EmbeddedEntry.lasting(bytes) : before.withBytes(bytes);
        return next.expiring(expiry, nowNanos);
    }
}

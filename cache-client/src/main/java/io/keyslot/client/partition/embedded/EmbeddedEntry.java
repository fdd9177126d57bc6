// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stored bytes, which may be an entry, or an aggregate, with its expiry. Immutable except for the model of the aggregate.
 */
record EmbeddedEntry(
        @SuppressWarnings("ArrayRecordComponent") byte[] bytes,
        @Nullable Aggregate aggregate,
        long sizeBytes,
        boolean expires,
        long expiresAtNanos) {
    /** Caffeine's maximal duration. Instants are compared by their difference, which must not overflow. */
    private static final long NEVER_NANOS = Long.MAX_VALUE >> 1;

    /** The bytes of an aggregate, which are malformed as an entry. */
    private static final byte[] NO_BYTES = new byte[0];

    /** An aggregate of one epoch, with its last stamp. The model is accessed only with the slot locked. */
    record Aggregate(int epoch, long stamp, AggregateModel model) {}

    static EmbeddedEntry lasting(byte[] bytes) {
        return new EmbeddedEntry(bytes, null, bytes.length, false, 0);
    }

    /** Creates an aggregate that does not expire. Called with the lock of its slot held, like {@link #with}. */
    static EmbeddedEntry lasting(Aggregate aggregate) {
        return new EmbeddedEntry(NO_BYTES, aggregate, aggregate.model().sizeBytes(), false, 0);
    }

    /** Returns the entry that replaces the present value, which may not be an entry. */
    static EmbeddedEntry put(
            EncodedKey key,
            Envelope envelope,
            int epoch,
            @Nullable EmbeddedEntry present,
            Expiry onCreation,
            Expiry onUpdate,
            long nowNanos) {
        boolean isEntry =
                present != null && present.aggregate == null && key.form().isEntry(key, epoch, present.bytes);
        return isEntry
                ? of(key, envelope, epoch, present, onUpdate, nowNanos)
                : of(key, envelope, epoch, null, onCreation, nowNanos);
    }

    /** Returns the entry to store, whose unchanged expiry is that of {@code before}, if that is not null. */
    static EmbeddedEntry of(
            EncodedKey key,
            Envelope envelope,
            int epoch,
            @Nullable EmbeddedEntry before,
            Expiry expiry,
            long nowNanos) {
        byte[] bytes = key.form().bytes(key, epoch, envelope);
        EmbeddedEntry next = before == null ? lasting(bytes) : before.withBytes(bytes);
        return next.expiring(expiry, nowNanos);
    }

    Lookup read(EncodedKey key, int epoch) {
        return aggregate == null ? key.form().read(key, epoch, bytes, true) : Lookup.without(Lookup.Outcome.MALFORMED);
    }

    /** Returns whether the value is no entry of this key: bytes without its envelope, or an aggregate. */
    boolean isForeign(EncodedKey key) {
        return aggregate != null || !key.form().isOurs(key, bytes);
    }

    EmbeddedEntry withBytes(byte[] other) {
        return new EmbeddedEntry(other, null, other.length, expires, expiresAtNanos);
    }

    /** Returns this aggregate with its present size and the same expiry. */
    EmbeddedEntry with(Aggregate other) {
        return new EmbeddedEntry(NO_BYTES, other, other.model().sizeBytes(), expires, expiresAtNanos);
    }

    /** Returns a copy with this expiry. More than 146 years count as never. */
    EmbeddedEntry expiring(Expiry expiry, long nowNanos) {
        if (expiry.isUnchanged()) {
            return this;
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(expiry.millis());
        return nanos >= NEVER_NANOS
                ? new EmbeddedEntry(bytes, aggregate, sizeBytes, false, 0)
                : new EmbeddedEntry(bytes, aggregate, sizeBytes, true, nowNanos + nanos);
    }

    /** Returns an independent copy. Called with the lock of its slot held. */
    EmbeddedEntry copy() {
        return aggregate == null
                ? this
                : with(new Aggregate(
                        aggregate.epoch(), aggregate.stamp(), aggregate.model().copy()));
    }

    long nanosLeft(long nowNanos) {
        return expires ? Math.max(0, expiresAtNanos - nowNanos) : NEVER_NANOS;
    }

    /** Returns the time to live, -1 if it does not expire. */
    long millisLeft(long nowNanos) {
        return expires ? TimeUnit.NANOSECONDS.toMillis(nanosLeft(nowNanos)) : -1;
    }
}

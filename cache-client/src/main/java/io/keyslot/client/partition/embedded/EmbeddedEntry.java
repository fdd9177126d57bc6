// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.Expiry;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stored bytes or an aggregate, with its expiry. Immutable except for the model of the aggregate. */
final class EmbeddedEntry {
    /** Caffeine's maximal duration. Instants are compared by their difference, which must not overflow. */
    private static final long NEVER_NANOS = Long.MAX_VALUE >> 1;

    /** The bytes of an aggregate, which are malformed as an entry. */
    private static final byte[] NO_BYTES = new byte[0];

    private final byte[] bytes;
    private final @Nullable StoredAggregate aggregate;
    private final long sizeBytes;
    private final boolean expires;
    private final long expiresAtNanos;

    private EmbeddedEntry(
            byte[] bytes, @Nullable StoredAggregate aggregate, long sizeBytes, boolean expires, long expiresAtNanos) {
        this.bytes = bytes;
        this.aggregate = aggregate;
        this.sizeBytes = sizeBytes;
        this.expires = expires;
        this.expiresAtNanos = expiresAtNanos;
    }

    public static EmbeddedEntry lasting(byte[] bytes) {
        return new EmbeddedEntry(bytes, null, bytes.length, false, 0);
    }

    /** Creates an aggregate that does not expire. Called with the lock of its slot held, like {@link #with}. */
    public static EmbeddedEntry lasting(StoredAggregate aggregate) {
        return new EmbeddedEntry(NO_BYTES, aggregate, aggregate.model().sizeBytes(), false, 0);
    }

    public EmbeddedEntry withBytes(byte[] other) {
        return new EmbeddedEntry(other, null, other.length, expires, expiresAtNanos);
    }

    /** Returns this aggregate with its present size and the same expiry. */
    public EmbeddedEntry with(StoredAggregate other) {
        return new EmbeddedEntry(NO_BYTES, other, other.model().sizeBytes(), expires, expiresAtNanos);
    }

    /** Returns a copy with this expiry. More than 146 years count as never. */
    public EmbeddedEntry expiring(Expiry expiry, long nowNanos) {
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
        return aggregate == null ? this : with(aggregate.copy());
    }

    /** Returns the bytes; empty for an aggregate. */
    public byte[] bytes() {
        return bytes;
    }

    @Nullable
    public StoredAggregate aggregate() {
        return aggregate;
    }

    public long sizeBytes() {
        return sizeBytes;
    }

    public long nanosLeft(long nowNanos) {
        return expires ? Math.max(0, expiresAtNanos - nowNanos) : NEVER_NANOS;
    }

    /** Returns the time to live, -1 if it does not expire. */
    public long millisLeft(long nowNanos) {
        return expires ? TimeUnit.NANOSECONDS.toMillis(nanosLeft(nowNanos)) : -1;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Expiry;
import java.util.concurrent.TimeUnit;

/** Bytes that a partition keeps, and until when. Immutable; nobody changes the bytes. */
final class StoredEntry {
    /** What Caffeine takes for never. Instants are compared by their difference, which must not overflow. */
    private static final long NEVER_NANOS = Long.MAX_VALUE >> 1;

    private final byte[] bytes;
    private final boolean expires;
    private final long expiresAtNanos;

    private StoredEntry(byte[] bytes, boolean expires, long expiresAtNanos) {
        this.bytes = bytes;
        this.expires = expires;
        this.expiresAtNanos = expiresAtNanos;
    }

    /** Creates an entry that does not expire. */
    static StoredEntry lasting(byte[] bytes) {
        return new StoredEntry(bytes, false, 0);
    }

    /** Returns these bytes with the same expiry. */
    StoredEntry withBytes(byte[] other) {
        return new StoredEntry(other, expires, expiresAtNanos);
    }

    /** Returns the same bytes with the expiry changed as said. More than 146 years count as never. */
    StoredEntry expiring(Expiry expiry, long nowNanos) {
        if (expiry.isUnchanged()) {
            return this;
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(expiry.millis());
        return nanos >= NEVER_NANOS ? lasting(bytes) : new StoredEntry(bytes, true, nowNanos + nanos);
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns how long it is still to be kept. */
    long nanosLeft(long nowNanos) {
        return expires ? Math.max(0, expiresAtNanos - nowNanos) : NEVER_NANOS;
    }

    /** Returns how long it is still to be kept, -1 if it does not expire. */
    long millisLeft(long nowNanos) {
        return expires ? TimeUnit.NANOSECONDS.toMillis(nanosLeft(nowNanos)) : -1;
    }
}

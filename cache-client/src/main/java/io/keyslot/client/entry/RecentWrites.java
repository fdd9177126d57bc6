// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What this process stored last in some entries of all its caches, by changes that depended on what was there. A table of fixed size:
 * of two entries that have the same place the later one is known. Nobody is answered from it, as others may have written since.
 * Safe for use by several threads.
 */
public final class RecentWrites implements EntryChanges {
    static final int PLACES = 1 << 12;

    /** What has more bytes, key and value, is not kept: all of them are 4 MiB at most. */
    static final int MOST_BYTES = 1024;

    private final AtomicReferenceArray<@Nullable Write> writes = new AtomicReferenceArray<>(PLACES);

    private record Write(EncodedKey key, Envelope envelope) {}

    /** Returns what was stored last in the entry, null if that is not known. */
    @Nullable
    Envelope of(EncodedKey key) {
        Write write = writes.getAcquire(placeOf(key));
        return write != null && write.key.equals(key) ? write.envelope : null;
    }

    /** Keeps what was stored, unless it is too large. */
    void keep(EncodedKey key, Envelope envelope) {
        if (key.length() + envelope.sizeBytes() <= MOST_BYTES) {
            writes.setRelease(placeOf(key), new Write(key, envelope));
        }
    }

    void forget(EncodedKey key) {
        if (of(key) != null) {
            writes.setRelease(placeOf(key), null);
        }
    }

    @Override
    public void stored(EncodedKey key, Expiry expiry) {
        forget(key);
    }

    @Override
    public void removed(EncodedKey key) {
        forget(key);
    }

    private static int placeOf(EncodedKey key) {
        int hash = key.hashCode() * 0x9E37_79B9; // neighbours do not collide
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}

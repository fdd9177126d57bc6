// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last values that this process stored in entries of all its caches by changes that depended on the previous value.
 * The table has a fixed size. Reads are never answered from it, as other processes may have written since. Thread-safe.
 */
public final class RecentWrites implements EntryChanges {
    static final int PLACES = 1 << 12;

    /** Larger entries (key and value) are not kept, so the table takes at most 4 MiB. */
    static final int MOST_BYTES = 1024;

    private final AtomicReferenceArray<@Nullable Write> writes = new AtomicReferenceArray<>(PLACES);

    private record Write(EncodedKey key, Envelope envelope) {}

    @Nullable
    Envelope of(EncodedKey key) {
        Write write = writes.getAcquire(placeOf(key));
        return write != null && write.key.equals(key) ? write.envelope : null;
    }

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
        int hash = key.hashCode() * 0x9E37_79B9; // spreads similar hashes
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The places of changes in the write-behind queue, taken before the cache is changed, and filled or given back
 * afterwards. For use by one thread.
 */
public final class OutboxEntry implements AutoCloseable {
    public static final OutboxEntry NONE = new OutboxEntry(null);

    private final @Nullable QueuePlaces<EncodedKey, Envelope> places;

    OutboxEntry(@Nullable QueuePlaces<EncodedKey, Envelope> places) {
        this.places = places;
    }

    /**
     * Locks the entries against other calls of this process until this is closed. Until then, only the codec of the
     * application may run. Throws {@link io.keyslot.cache.failure.CacheOverloadedException} if others take too long.
     */
    public void begin() {
        if (places != null) {
            places.begin();
        }
    }

    /** Queues a change that the cache has made ({@code problem} is null) or may have made. */
    public void settle(EncodedKey key, @Nullable Envelope envelope, @Nullable KeyslotException problem) {
        if (places == null) {
            return;
        }
        if (problem == null) {
            places.fill(key, new PendingChange<>(envelope));
        } else if (problem instanceof OutcomeUnknownException) {
            places.fillUnsure(key, new PendingChange<>(envelope));
        }
    }

    @Override
    public void close() {
        if (places != null) {
            places.close();
        }
    }
}

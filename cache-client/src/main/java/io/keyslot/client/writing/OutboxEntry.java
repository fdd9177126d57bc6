// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * The places that changes have in the queue of a writer that comes second: taken before the cache is changed, filled or given
 * back after it. Without such a writer there is nothing to hand over. For use by one thread.
 */
public final class OutboxEntry implements AutoCloseable {
    /** Nobody hears of the changes later. */
    public static final OutboxEntry NONE = new OutboxEntry(null);

    private final @Nullable QueuePlaces<EncodedKey, Envelope> places;

    OutboxEntry(@Nullable QueuePlaces<EncodedKey, Envelope> places) {
        this.places = places;
    }

    /**
     * Waits until no other call of this process is between the cache and the queue with one of these entries, and keeps others
     * out until this is closed. From here on, nothing of the application may run but its codec.
     *
     * @throws io.keyslot.cache.failure.CacheOverloadedException if others took too long, and nothing was done
     */
    public void begin() {
        if (places != null) {
            places.begin();
        }
    }

    /**
     * Lets the writer hear of a change that the cache has made, or may have made.
     *
     * @param envelope what is stored now, null if the entry was removed
     * @param problem why it was not made, or perhaps not; null if it was
     */
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

    /** Gives back the places of changes that were not made. */
    @Override
    public void close() {
        if (places != null) {
            places.close();
        }
    }
}

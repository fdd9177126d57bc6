// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.WriteBehindCounts;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of changes besides the cache: nobody or the application's writer before the cache is changed
 * ({@link WriteThrough}), or the same writer later ({@link QueuedWriter}).
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface ChangeWriter<K, V> {
    /** Returns whether there is a writer. */
    boolean isOn();

    /** Returns the writer that has to do its part before the cache is changed, null if there is none. */
    default @Nullable WriteThrough<K, V> first() {
        return null;
    }

    /**
     * Takes a place for a change of which a writer that comes second will hear. To be called before the cache is changed.
     *
     * @throws io.keyslot.cache.failure.CacheOverloadedException if there is none in time
     */
    default OutboxEntry reserve(EncodedKey key, CallBudget budget) {
        return OutboxEntry.NONE;
    }

    /** As {@link #reserve}, for {@link #mostAtOnce} changes at most: all of them or none. */
    default OutboxEntry reserveAll(List<EncodedKey> keys, CallBudget budget) {
        return OutboxEntry.NONE;
    }

    /** Returns for how many changes places may be taken at once. */
    default int mostAtOnce() {
        return Integer.MAX_VALUE;
    }

    /**
     * Lets a writer that comes second hear of a change that the cache could not make.
     *
     * @param value the value that was put, null if the entry was removed
     * @throws io.keyslot.cache.failure.CacheOverloadedException if it cannot
     */
    default void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {}

    /** Returns a loader that knows of changes which the writer has not heard of yet. */
    default @Nullable CacheLoader<K, V> aware(@Nullable CacheLoader<K, V> loader) {
        return loader;
    }

    /**
     * Waits until each change of these entries that has reached the cache by now is known to the {@linkplain #aware loader}.
     *
     * @throws io.keyslot.cache.failure.CacheOverloadedException if that took too long
     */
    default void awaitChanges(Collection<? extends K> keys) {}

    /** Hands over what waits; returns whether all was written in time. */
    default boolean flush(Duration atMost) {
        return true;
    }

    /** Begins to hand over what waits, and refuses further changes. */
    default void beginClose() {}

    /** Hands over what waits, as long as the configuration allows. */
    default void close() {}

    /** Returns what the queue counts, if there is one. */
    default Optional<WriteBehindCounts> counts() {
        return Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.statistics.WriteBehindCounts;
import io.keyslot.client.time.CallBudget;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of changes besides the cache: nobody or the application's writer at once ({@link WriteThrough}), or the same
 * writer later ({@link QueuedWriter}).
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface ChangeWriter<K, V> {
    /** Returns whether there is a writer. */
    boolean isOn();

    /** Returns whether there is a writer that has done its part before the cache is changed. */
    boolean isFirst();

    /**
     * Prepares the change of an entry that gets a value. To be called before the cache is changed.
     *
     * @param envelope the value as it is stored
     */
    Handover write(K key, V value, EncodedKey encoded, Envelope envelope, CallBudget budget);

    /** Prepares the removal of an entry. To be called before the cache is changed. */
    Handover delete(K key, EncodedKey encoded, CallBudget budget);

    /** Prepares the changes of entries that get values, {@link #mostAtOnce} at most. */
    Handovers<K> writeAll(Map<? extends K, ? extends V> map, CallBudget budget);

    /** Prepares the removal of entries, {@link #mostAtOnce} at most. */
    Handovers<K> deleteAll(Set<? extends K> keys, CallBudget budget);

    /**
     * Lets a writer that comes second hear of a change that the cache could not make.
     *
     * @param value the value that was put, null if the entry was removed
     * @throws io.keyslot.cache.failure.CacheOverloadedException if it cannot
     */
    default void goOn(EncodedKey encoded, @Nullable V value, CallBudget budget) {}

    /** Returns how many entries a bulk operation changes together. */
    default int mostAtOnce() {
        return Integer.MAX_VALUE;
    }

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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache that belong to one group.
 *
 * <p>Outside of a transaction these are the cache's own operations: they count in its statistics, load, write through and
 * tell listeners. Inside of one there is neither loading nor writing through nor an event: a cache with a writer refuses
 * changes there, with {@code UnsupportedOperationException}.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface GroupEntries<K, V> {
    /**
     * Returns the value, or null if there is none.
     *
     * @throws io.keyslot.cache.failure.CrossSlotException if the key belongs to another group
     */
    @Nullable
    V get(K key);

    /** Returns those values that there are. */
    Map<K, V> getAll(Set<? extends K> keys);

    boolean containsKey(K key);

    /** Stores a value, to expire as the cache's expiry policy says. */
    void put(K key, V value);

    /** Stores a value, to expire after this time. */
    void put(K key, V value, Duration timeToLive);

    /** Stores a value if there is none; returns whether there was none. */
    boolean putIfAbsent(K key, V value);

    /** Removes the entry; returns whether there was one. */
    boolean remove(K key);
}

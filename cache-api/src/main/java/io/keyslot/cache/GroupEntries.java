// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache that belong to one group, in a transaction. They do not count in the cache's statistics, load,
 * write through or publish events, and the changes of a cache with a writer throw {@code UnsupportedOperationException}.
 */
public interface GroupEntries<K, V> {
    /**
     * Returns the value, or null if there is none.
     *
     * @throws io.keyslot.cache.failure.CrossSlotException if the key belongs to another group
     */
    @Nullable
    V get(K key);

    /** Returns the entries that exist. */
    Map<K, V> getAll(Set<? extends K> keys);

    boolean containsKey(K key);

    /** Stores a value that expires as the cache's expiry policy says. */
    void put(K key, V value);

    /** Stores a value with a time to live. */
    void put(K key, V value, Duration timeToLive);

    /** Stores a value if there is none; returns whether it was stored. */
    boolean putIfAbsent(K key, V value);

    /** Removes the entry; returns whether it existed. */
    boolean remove(K key);
}

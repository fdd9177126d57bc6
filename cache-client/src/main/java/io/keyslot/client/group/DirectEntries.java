// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCache;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of a cache that are in the group, accessed with the cache's own operations. Immutable. */
final class DirectEntries<K, V> implements GroupEntries<K, V> {
    private final GroupedCache<K, V> grouped;
    private final PartitionedCache<K, V> cache;
    private final GroupCalls calls;

    public DirectEntries(GroupedCache<K, V> grouped, GroupCalls calls) {
        this.grouped = grouped;
        this.cache = grouped.cache();
        this.calls = calls;
    }

    @Override
    public @Nullable V get(K key) {
        return cache.get(checked(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        keys.forEach(this::checked);
        return cache.getAll(keys);
    }

    @Override
    public boolean containsKey(K key) {
        return cache.containsKey(checked(key));
    }

    @Override
    public void put(K key, V value) {
        cache.put(checked(key), value);
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        cache.put(checked(key), value, timeToLive);
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return cache.putIfAbsent(checked(key), value);
    }

    @Override
    public boolean remove(K key) {
        return cache.remove(checked(key));
    }

    private K checked(K key) {
        calls.keys().check(grouped.encode(key));
        return key;
    }
}

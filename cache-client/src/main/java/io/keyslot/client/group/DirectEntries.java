// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a cache by the cache's own operations, as far as they are in the group. Of a replicated cache these are all,
 * and values are read in the group's partition. Immutable.
 */
final class DirectEntries<K, V> implements GroupEntries<K, V> {
    private final GroupKeys group;
    private final GroupedCache<K, V> grouped;
    private final Supplier<PartitionId> partition;
    private final PartitionedCache<K, V> cache;

    /** @param partition gives that of the group, as it is now */
    DirectEntries(GroupKeys group, GroupedCache<K, V> grouped, Supplier<PartitionId> partition) {
        this.group = group;
        this.grouped = grouped;
        this.partition = partition;
        this.cache = grouped.cache();
    }

    @Override
    public @Nullable V get(K key) {
        return grouped.isReplicated() ? grouped.getAt(partition.get(), key) : cache.get(checked(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        if (grouped.isReplicated()) {
            return grouped.getAllAt(partition.get(), keys);
        }
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

    /** Returns the key if it belongs to the group, or to all of them. */
    private K checked(K key) {
        if (!grouped.isReplicated()) {
            group.check(grouped.encode(key));
        }
        return key;
    }
}

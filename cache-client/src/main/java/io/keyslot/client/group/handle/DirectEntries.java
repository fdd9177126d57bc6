// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group.handle;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.group.store.GroupCalls;
import io.keyslot.client.group.store.GroupedCache;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a cache by the cache's own operations, as far as they are in the group. Of a replicated cache these are all, and
 * values are read from the copies in the group's partition: in a transaction at once, and not among what the commit checks.
 * Immutable.
 */
public final class DirectEntries<K, V> implements GroupEntries<K, V> {
    private final GroupedCache<K, V> grouped;
    private final PartitionedCache<K, V> cache;
    private final GroupCalls calls;
    private final Runnable beforeRead;
    private final Runnable beforeChange;

    /** Of no transaction. */
    public DirectEntries(GroupedCache<K, V> grouped, GroupCalls calls) {
        this(grouped, calls, () -> {}, () -> {});
    }

    /**
     * @param beforeRead throws if no entry is to be read
     * @param beforeChange throws if no entry is to be changed
     */
    public DirectEntries(GroupedCache<K, V> grouped, GroupCalls calls, Runnable beforeRead, Runnable beforeChange) {
        this.grouped = grouped;
        this.cache = grouped.cache();
        this.calls = calls;
        this.beforeRead = beforeRead;
        this.beforeChange = beforeChange;
    }

    @Override
    public @Nullable V get(K key) {
        beforeRead.run();
        return grouped.isReplicated() ? grouped.getAt(calls.partition(), key) : cache.get(checked(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        beforeRead.run();
        if (grouped.isReplicated()) {
            return grouped.getAllAt(calls.partition(), keys);
        }
        keys.forEach(this::checked);
        return cache.getAll(keys);
    }

    @Override
    public boolean containsKey(K key) {
        beforeRead.run();
        return cache.containsKey(checked(key));
    }

    @Override
    public void put(K key, V value) {
        beforeChange.run();
        cache.put(checked(key), value);
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        beforeChange.run();
        cache.put(checked(key), value, timeToLive);
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        beforeChange.run();
        return cache.putIfAbsent(checked(key), value);
    }

    @Override
    public boolean remove(K key) {
        beforeChange.run();
        return cache.remove(checked(key));
    }

    /** Returns the key if it belongs to the group, or to all of them. */
    private K checked(K key) {
        if (!grouped.isReplicated()) {
            calls.keys().check(grouped.encode(key));
        }
        return key;
    }
}

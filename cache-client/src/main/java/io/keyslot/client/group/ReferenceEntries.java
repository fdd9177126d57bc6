// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a replicated cache in a transaction: read from the copies in the group's partition, at once, and not among
 * what the commit checks. Changes are refused.
 */
final class ReferenceEntries<K, V> implements GroupEntries<K, V> {
    private final TransactionRun run;
    private final GroupedCache<K, V> cache;
    private final GroupEntries<K, V> copies;

    ReferenceEntries(TransactionRun run, GroupedCache<K, V> cache, GroupEntries<K, V> copies) {
        this.run = run;
        this.cache = cache;
        this.copies = copies;
    }

    @Override
    public @Nullable V get(K key) {
        run.begin();
        return copies.get(key);
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        run.begin();
        return copies.getAll(keys);
    }

    @Override
    public boolean containsKey(K key) {
        run.begin();
        return copies.containsKey(key);
    }

    @Override
    public void put(K key, V value) {
        refuse();
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        refuse();
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return refuse();
    }

    @Override
    public boolean remove(K key) {
        return refuse();
    }

    private boolean refuse() {
        cache.requireWritable();
        return false;
    }
}

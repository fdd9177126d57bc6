// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of a cache that belong to the group, in a transaction. */
final class TransactionEntries<K, V> implements GroupEntries<K, V> {
    private final GroupKeys group;
    private final GroupedCache<K, V> cache;
    private final TransactionValues<V> values;

    TransactionEntries(TransactionRun run, GroupedCache<K, V> cache) {
        this.group = run.keys();
        this.cache = cache;
        this.values = new TransactionValues<>(run, cache);
    }

    @Override
    public @Nullable V get(K key) {
        return values.get(encode(key)).orElse(null);
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        Map<K, EncodedKey> encoded = new LinkedHashMap<>();
        keys.forEach(key -> encoded.put(key, encode(key)));
        values.prepare(List.copyOf(encoded.values()));
        Map<K, V> found = new LinkedHashMap<>();
        encoded.forEach((key, stored) -> values.get(stored).ifPresent(value -> found.put(key, value)));
        return found;
    }

    @Override
    public boolean containsKey(K key) {
        return values.get(encode(key)).isPresent();
    }

    @Override
    public void put(K key, V value) {
        values.put(encode(key), value, null);
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        values.put(encode(key), value, Objects.requireNonNull(timeToLive, "timeToLive"));
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return values.putIfAbsent(encode(key), value);
    }

    @Override
    public boolean remove(K key) {
        return values.remove(encode(key));
    }

    private EncodedKey encode(K key) {
        EncodedKey encoded = cache.encode(key);
        group.check(encoded);
        return encoded;
    }
}

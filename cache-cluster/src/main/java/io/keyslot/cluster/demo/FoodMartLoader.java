// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/** Reads entries from the system of record and counts how often. Safe for use by several threads. */
final class FoodMartLoader<K, V> implements CacheLoader<K, V> {
    private final Function<K, @Nullable V> source;
    private final ToIntFunction<K> slots;
    private final DemoLoads loads;

    FoodMartLoader(Function<K, @Nullable V> source, ToIntFunction<K> slots, DemoLoads loads) {
        this.source = source;
        this.slots = slots;
        this.loads = loads;
    }

    @Override
    public @Nullable V load(K key) {
        loads.add(slots.applyAsInt(key));
        return source.apply(key);
    }

    @Override
    public Map<K, V> loadAll(Iterable<? extends K> keys) {
        Map<K, V> loaded = new HashMap<>();
        for (K key : keys) {
            V value = load(key);
            if (value != null) {
                loaded.put(key, value);
            }
        }
        return loaded;
    }
}

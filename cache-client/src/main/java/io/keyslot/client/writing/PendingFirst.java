// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * A cache loader that prefers a pending change of this process to the loaded value. It checks again after loading, as a
 * change may have been faster. Thread-safe if the application's loader is.
 */
final class PendingFirst<K, V> implements CacheLoader<K, V> {
    private final CacheLoader<K, V> loader;
    private final Function<K, Optional<PendingChange<V>>> pending;

    PendingFirst(CacheLoader<K, V> loader, Function<K, Optional<PendingChange<V>>> pending) {
        this.loader = loader;
        this.pending = pending;
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: null for a key without a value
    public V load(K key) {
        Optional<PendingChange<V>> before = pending.apply(key);
        if (before.isPresent()) {
            return before.get().value();
        }
        V loaded = loader.load(key);
        Optional<PendingChange<V>> since = pending.apply(key);
        return since.isPresent() ? since.get().value() : loaded;
    }

    @Override
    public Map<K, V> loadAll(Iterable<? extends K> keys) {
        Set<K> unknown = new LinkedHashSet<>();
        keys.forEach(key -> {
            if (pending.apply(key).isEmpty()) {
                unknown.add(key);
            }
        });
        Map<K, V> loaded = unknown.isEmpty() ? null : loader.loadAll(unknown);
        Map<K, V> known = loaded == null ? new LinkedHashMap<>() : new LinkedHashMap<>(loaded);
        keys.forEach(key -> pending.apply(key).ifPresent(change -> replace(known, key, change.value())));
        return known;
    }

    private static <K, V> void replace(Map<K, V> known, K key, @Nullable V value) {
        if (value == null) {
            known.remove(key);
        } else {
            known.put(key, value);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** The application's cache loader, whose exceptions are wrapped as JSR-107 requires. */
public final class ReadThrough<K, V> {
    private final @Nullable CacheLoader<K, V> loader;

    public ReadThrough(@Nullable CacheLoader<K, V> loader) {
        this.loader = loader;
    }

    boolean hasLoader() {
        return loader != null;
    }

    @Nullable
    Loaded<V> load(K key) {
        try {
            V answer = loader == null ? null : loader.load(key);
            return answer == null ? null : Loaded.of(answer);
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
    }

    /** Loads values. Keys without a value, and keys that were not requested, are omitted. */
    Map<K, Loaded<V>> loadAll(Set<? extends K> keys) {
        Map<K, V> loaded = allOf(keys);
        Map<K, Loaded<V>> wanted = new LinkedHashMap<>();
        for (K key : keys) {
            V value = loaded == null ? null : loaded.get(key);
            if (value != null) {
                wanted.put(key, Loaded.of(value));
            }
        }
        return wanted;
    }

    /** Returns the loader's result, which may be null against its contract. */
    private @Nullable Map<K, V> allOf(Set<? extends K> keys) {
        try {
            return loader == null ? Map.of() : loader.loadAll(keys);
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
    }

    private static CacheLoaderException wrapped(RuntimeException failure) {
        return failure instanceof CacheLoaderException already
                ? already
                : new CacheLoaderException("The cache loader failed: " + failure, failure);
    }
}

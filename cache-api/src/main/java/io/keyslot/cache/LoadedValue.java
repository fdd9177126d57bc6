// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * A value that a cache loader found, with its own time to live. A loader may return it in place of a value;
 * {@link #loader} creates a loader that always does.
 *
 * @param value the value
 * @param timeToLive the time to live of the entry, in place of the cache's expiry policy; more than zero
 * @param <V> the type of the value
 */
public record LoadedValue<V>(V value, Duration timeToLive) {
    public LoadedValue {
        Objects.requireNonNull(value, "value");
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new IllegalArgumentException("timeToLive is %s, must be more than zero".formatted(timeToLive));
        }
    }

    /**
     * Returns a cache loader that calls the function for each key.
     *
     * @param function returns the value and its time to live, or null if there is no value; its exceptions are not
     *     wrapped
     */
    @SuppressWarnings("unchecked") // the cache unwraps the value before the application sees it
    public static <K, V> CacheLoader<K, V> loader(Function<? super K, @Nullable LoadedValue<V>> function) {
        return (CacheLoader<K, V>) new CacheLoader<K, LoadedValue<V>>() {
            @Override
            public @Nullable LoadedValue<V> load(K key) {
                return function.apply(key);
            }

            @Override
            public Map<K, LoadedValue<V>> loadAll(Iterable<? extends K> keys) {
                Map<K, LoadedValue<V>> found = new LinkedHashMap<>();
                for (K key : keys) {
                    LoadedValue<V> value = function.apply(key);
                    if (value != null) {
                        found.put(key, value);
                    }
                }
                return found;
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.near.NearState;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.near.NearCache;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The near entries of a cache; there are none if the cache is not near ({@code near} is null). Thread-safe. */
public record LocalEntries<K, V>(@Nullable NearCache<K, V> near) {
    boolean isOn() {
        return near != null;
    }

    @Nullable
    V get(K key) {
        return near == null ? null : near.get(key);
    }

    @Nullable
    Answer<V> find(K key) {
        NearCache.Hit<V> hit = near == null ? null : near.find(key);
        return hit == null ? null : hit.answer();
    }

    boolean contains(K key) {
        return near != null && near.contains(key);
    }

    /** Returns the value of a near entry that may be served although its partition failed, or null. */
    @Nullable
    V getMissing(K key, Answer<V> answer) {
        return near == null || answer.failure() == null ? null : near.getMissing(key);
    }

    public @Nullable NearState explain(K key) {
        return near == null ? null : near.explain(key);
    }

    public Optional<NearCache.Counts> counts() {
        return Optional.ofNullable(near).map(NearCache::counts);
    }

    void clear() {
        if (near != null) {
            near.clear();
        }
    }

    public void close() {
        if (near != null) {
            near.close();
        }
    }
}

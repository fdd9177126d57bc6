// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.near.NearState;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.NearCounts;
import io.keyslot.client.near.NearCache;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The copies in this process, as reads ask them: each question has the answer that there is none, if the cache is not near.
 * Safe for use by several threads.
 *
 * @param near null if the cache is not near
 */
public record LocalEntries<K, V>(@Nullable NearCache<K, V> near) {
    boolean isOn() {
        return near != null;
    }

    /** Returns the value of a copy that may be served, null if there is none. */
    @Nullable
    V get(K key) {
        return near == null ? null : near.get(key);
    }

    /** As {@link #get}, with until when the value is fresh. */
    @Nullable
    Answer<V> find(K key) {
        NearCache.Hit<V> hit = near == null ? null : near.find(key);
        return hit == null ? null : hit.answer();
    }

    boolean contains(K key) {
        return near != null && near.contains(key);
    }

    /** Returns the value of a copy that may be served if this is why its partition did not answer, null if there is none. */
    @Nullable
    V getMissing(K key, Answer<V> answer) {
        return near == null || answer.failure() == null ? null : near.getMissing(key);
    }

    /** Says what is known of the copy of an entry, null if the cache is not near. */
    public @Nullable NearState explain(K key) {
        return near == null ? null : near.explain(key);
    }

    /** Returns what the copies count, empty if the cache is not near. */
    public Optional<NearCounts> counts() {
        return Optional.ofNullable(near).map(NearCache::counts);
    }

    /** Takes all away: the entries were removed. */
    void clear() {
        if (near != null) {
            near.clear();
        }
    }

    /** Gives them up with the cache. */
    public void close() {
        if (near != null) {
            near.close();
        }
    }
}

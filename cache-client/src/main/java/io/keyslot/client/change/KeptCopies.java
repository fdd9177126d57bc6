// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.cache.hot.HotKeys;
import io.keyslot.cache.near.NearState;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.KeptKeys;
import io.keyslot.client.hot.HotReads;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.statistics.NearCounts;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The copies in this process, as reads ask them: each question has the answer that there is none, if the cache is not near; and
 * which keys are read most. Safe for use by several threads.
 *
 * @param near null if the cache is not near
 * @param hot is told of each read, before anybody is asked
 * @param keys what stands for a key there
 */
public record KeptCopies<K, V>(@Nullable NearCache<K, V> near, HotReads<K> hot, KeptKeys<K> keys) {
    /** Many entries are about to be read. */
    void readAll(Iterable<? extends K> keys) {
        for (K key : keys) {
            hot.read(key);
        }
    }

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

    /** Returns the keys that are read most. */
    public HotKeys<K> hotKeys(int most) {
        return hot.top(most, keys::keyOf);
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

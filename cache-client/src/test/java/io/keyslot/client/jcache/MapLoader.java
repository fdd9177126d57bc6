// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/** A loader that answers what a test says, and that keeps the keys that it was asked for. */
public final class MapLoader<K, V> implements CacheLoader<K, V> {
    private final List<K> asked = new ArrayList<>();
    private final Function<K, @Nullable V> answer;

    private MapLoader(Function<K, @Nullable V> answer) {
        this.answer = answer;
    }

    /** Returns a loader that answers by this function. */
    public static <K, V> MapLoader<K, V> answering(Function<K, @Nullable V> answer) {
        return new MapLoader<>(answer);
    }

    /** Returns the keys asked for since the last call. */
    public synchronized List<K> takeAsked() {
        List<K> taken = List.copyOf(asked);
        asked.clear();
        return taken;
    }

    @Override
    public @Nullable V load(K key) {
        synchronized (this) {
            asked.add(key);
        }
        return answer.apply(key);
    }

    @Override
    public Map<K, V> loadAll(Iterable<? extends K> keys) {
        Map<K, V> loaded = new HashMap<>();
        for (K key : keys) {
            loaded.put(key, load(key));
        }
        return loaded;
    }
}

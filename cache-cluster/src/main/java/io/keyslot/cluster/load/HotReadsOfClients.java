// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import java.util.List;
import java.util.Map;

/**
 * Which keys are read most, as far as clients have told: the sum over all clients, of a minute.
 *
 * @param keys the most read first
 * @param ofCaches how often all keys of each cache are read, by the clients that tell
 */
public record HotReadsOfClients(List<HotLoad> keys, Map<String, Long> ofCaches) {
    public HotReadsOfClients {
        keys = List.copyOf(keys);
        ofCaches = Map.copyOf(ofCaches);
    }

    /** Returns the keys that are read most of one cache, or of all if it is empty, at most so many. */
    public List<HotLoad> top(String cache, int most) {
        return keys.stream()
                .filter(key -> cache.isEmpty() || key.cache().equals(cache))
                .limit(most)
                .toList();
    }

    /** Returns how often all keys of the cache of a key are read. */
    public long readsOfCacheOf(HotLoad key) {
        return ofCaches.getOrDefault(key.cache(), 0L);
    }
}

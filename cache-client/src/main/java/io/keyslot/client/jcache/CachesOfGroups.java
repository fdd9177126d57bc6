// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.group.GroupedCaches;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import java.util.Optional;

/** The view of a manager's caches for its groups. Thread-safe. */
record CachesOfGroups(KeyslotCacheManager manager) implements GroupedCaches {
    @Override
    public <K, V> GroupedCache<K, V> of(PartitionedCache<K, V> cache) {
        if (ObservedCache.within(cache) instanceof KeyslotCache<K, V> ours && ours.getCacheManager() == manager) {
            return ours.grouped();
        }
        throw new IllegalArgumentException(
                "Cache %s: it is not a cache of the manager %s, whose group this is; use a cache of the same manager"
                        .formatted(cache.getName(), manager.getURI()));
    }

    @Override
    public Optional<GroupedCache<?, ?>> ofType(String entityType) {
        return manager.openCacheOf(entityType).map(KeyslotCache::grouped);
    }

    @Override
    public void checkOpen() {
        manager.checkOpen();
    }
}

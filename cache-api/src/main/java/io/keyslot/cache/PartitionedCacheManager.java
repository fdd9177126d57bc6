// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.SlotMap;
import java.util.List;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;

/** A cache manager whose caches are spread over partitions, as {@code CacheManager.unwrap} returns it. */
public interface PartitionedCacheManager extends CacheManager {
    /** Returns the current slot map. */
    SlotMap slotMap();

    /** Returns the status of each partition, in the order of the slot map. */
    List<PartitionStatus> partitions();

    /**
     * Returns the group of a root: everything that has it in its hash tag.
     *
     * @throws IllegalArgumentException if the key is a member of a group itself
     */
    CacheGroup group(EntityKey root);

    /** Returns the cache of this name, or null if there is none. Throws if its types were set and are others. */
    @Override
    <K, V> PartitionedCache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType);

    /** Returns the cache of this name, or null if there is none. */
    @Override
    <K, V> PartitionedCache<K, V> getCache(String name);

    @Override
    <K, V, C extends Configuration<K, V>> PartitionedCache<K, V> createCache(String name, C configuration);
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.SlotMap;
import java.util.List;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;

/** A cache manager whose caches are spread over partitions. What {@code CacheManager.unwrap} gives. */
public interface PartitionedCacheManager extends CacheManager {
    /** Returns the slot map in force. */
    SlotMap slotMap();

    /** Returns each partition and whether it answers, in the order of the slot map. */
    List<PartitionStatus> partitions();

    @Override
    <K, V, C extends Configuration<K, V>> PartitionedCache<K, V> createCache(String name, C configuration);
}

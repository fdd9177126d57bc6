// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.slot.SlotMap;
import java.util.List;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** A cache manager whose caches are spread over partitions. What {@code CacheManager.unwrap} gives. */
public interface PartitionedCacheManager extends CacheManager {
    /** Returns the slot map in force. */
    SlotMap slotMap();

    /** Returns each partition and whether it answers, in the order of the slot map. */
    List<PartitionStatus> partitions();

    /**
     * Returns the group of a root: everything that has it in its hash tag.
     *
     * @throws IllegalArgumentException if the key is a member of a group itself
     */
    CacheGroup group(EntityKey root);

    /**
     * Runs a processor over the group of a root: all its changes are applied together, or none of them.
     *
     * @see CacheGroup#invoke
     */
    <T extends @Nullable Object> T invokeGroup(EntityKey root, GroupProcessor<T> processor, Object... arguments);

    @Override
    <K, V, C extends Configuration<K, V>> PartitionedCache<K, V> createCache(String name, C configuration);
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import io.keyslot.cache.queue.PartitionedQueue;
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

    /**
     * Removes all that is stored under a key, whether or not its cache is open here: the entry, with its lease or
     * reservation, and its changes with values in feeds; for the root of a group also all members, aggregates, the index
     * and the lock. Near copies end as after any removal. Changes of it that wait in write-behind queues of this manager are
     * given up, and do not reach the writer.
     *
     * <p>Erase it in the database first, and call this when the processes that may hold its changes have written them: a
     * process that loads it afterwards stores it again. The call can be repeated. Each command ends within {@code deadlines.call}; the call
     * takes a time proportional to the number of keys of the partition if the key is the root of a group.
     *
     * @return what was removed, and what could not be reached, such as a missing partition: then repeat the call. Until
     *     then, this manager deletes the entries it knows as soon as the partition answers, before it reads any of them
     * @throws IllegalArgumentException if the entity type is reserved
     * @throws io.keyslot.cache.failure.LimitExceededException if the key is too long
     */
    ErasureReport erase(EntityKey key);

    /**
     * Returns the queue of this name, which all processes share. It is not created or destroyed: it consists of its messages at
     * the partitions. {@code queues.<name>} sets its bounds.
     *
     * @param name letters, digits, {@code _} and {@code -}, 64 at most; with {@code .dead} behind it, the dead letters
     * @throws IllegalArgumentException if the name has other characters, or the codec cannot hold the type
     * @throws ClassCastException if this manager has opened the queue with another type
     */
    <E> PartitionedQueue<E> queue(String name, Class<E> type);

    /** Returns the cache of this name, or null if there is none. Throws if its types were set and are others. */
    @Override
    <K, V> PartitionedCache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType);

    /** Returns the cache of this name, or null if there is none. */
    @Override
    <K, V> PartitionedCache<K, V> getCache(String name);

    @Override
    <K, V, C extends Configuration<K, V>> PartitionedCache<K, V> createCache(String name, C configuration);
}

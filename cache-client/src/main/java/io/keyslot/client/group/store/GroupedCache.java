// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group.store;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a group needs to know of a cache whose entries may belong to it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface GroupedCache<K, V> extends ValueForm<V> {
    /** Returns the cache as the application sees it, with statistics, loader, writer and listeners. */
    PartitionedCache<K, V> cache();

    String entityType();

    /** Returns whether every partition has all entries. None of them belongs to a group then. */
    boolean isReplicated();

    /** As {@link PartitionedCache#get} of a replicated cache, from the copies of one partition. */
    @Nullable
    V getAt(PartitionId partition, K key);

    /** As {@link PartitionedCache#getAll} of a replicated cache, from the copies of one partition. */
    Map<K, V> getAllAt(PartitionId partition, Set<? extends K> keys);

    /** Checks a key, and returns its stored form. */
    EncodedKey encode(K key);

    /** Returns the key of a stored form, null if it is not one of this cache's. */
    @Nullable
    K decode(EncodedKey key);
}

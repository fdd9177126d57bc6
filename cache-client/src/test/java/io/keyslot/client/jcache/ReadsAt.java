// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Reads from the copies of one partition, as a group does that belongs there. */
public final class ReadsAt {
    private ReadsAt() {}

    /** Gets an entry of a replicated cache. */
    public static <K, V> @Nullable V get(Cache<K, V> cache, PartitionId partition, K key) {
        return ((KeyslotCache<K, V>) cache).getAt(partition, key);
    }

    /** Gets entries of a replicated cache. */
    public static <K, V> Map<K, V> getAll(Cache<K, V> cache, PartitionId partition, Set<? extends K> keys) {
        return ((KeyslotCache<K, V>) cache).getAllAt(partition, keys);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.stored.EncodedKey;
import org.jspecify.annotations.Nullable;

/** The view of a cache for the groups to which its entries may belong. */
public interface GroupedCache<K, V> extends ValueForm<V> {
    /** Returns the cache as the application uses it, with statistics, loader, writer and listeners. */
    PartitionedCache<K, V> cache();

    String entityType();

    EncodedKey encode(K key);

    /** Returns the key of a stored form, null if it is not one of this cache's. */
    @Nullable
    K decode(EncodedKey key);
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.stored.EncodedKey;
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

    /** Checks a key, and returns its stored form. */
    EncodedKey encode(K key);

    /** Returns the key of a stored form, null if it is not one of this cache's. */
    @Nullable
    K decode(EncodedKey key);
}

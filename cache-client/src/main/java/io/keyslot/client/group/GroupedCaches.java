// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Feed;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The caches of one manager, for its groups. Safe for use by several threads. */
public interface GroupedCaches {
    /**
     * Throws {@code IllegalArgumentException} if it is a cache of another manager.
     * @throws IllegalStateException if it is closed
     */
    <K, V> GroupedCache<K, V> of(PartitionedCache<K, V> cache);

    /** Returns the open cache whose entries have this entity type. */
    Optional<GroupedCache<?, ?>> ofType(String entityType);

    /** Throws {@code IllegalStateException} if the manager is closed. */
    void checkOpen();

    /** The view of a cache for the groups to which its entries may belong. */
    public interface GroupedCache<K, V> extends ValueForm<V> {
        /** Returns the cache as the application uses it, with statistics, loader, writer and listeners. */
        PartitionedCache<K, V> cache();

        EncodedKey encode(K key);

        /** Returns the feed of the cache; null if it has none. */
        @Nullable
        Feed feed();
    }
}

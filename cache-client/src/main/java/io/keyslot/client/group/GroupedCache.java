// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a group needs to know of a cache whose entries may belong to it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface GroupedCache<K, V> {
    /** Returns the cache as the application sees it, with statistics, loader, writer and listeners. */
    PartitionedCache<K, V> cache();

    String entityType();

    /** Returns whether every partition has all entries. None of them belongs to a group then. */
    boolean isReplicated();

    /** As {@link PartitionedCache#get} of a replicated cache, from the copies of one partition. */
    @Nullable
    V getAt(PartitionId partition, K key);

    /** Checks a key, and returns its stored form. */
    EncodedKey encode(K key);

    /** Returns the key of a stored form, null if it is not one of this cache's. */
    @Nullable
    K decode(EncodedKey key);

    /** Checks and encodes a value for a write with this stamp. */
    Envelope encode(V value, long stamp, Expiry expiry);

    /** Decodes a value; empty if the bytes are not one. */
    Optional<V> decode(Envelope envelope);

    /** Returns when a new entry expires, empty if at once. */
    Optional<Expiry> onCreation();

    /** Returns when a changed entry expires, empty if at once. */
    Optional<Expiry> onUpdate();

    /** Returns the expiry of an entry that lives this long. */
    Expiry lasting(Duration timeToLive);

    /**
     * Refuses changes that would pass by the cache's writer, or of a cache that is not stored by groups.
     *
     * @throws UnsupportedOperationException saying why, and what to do
     */
    void requireWritable();
}

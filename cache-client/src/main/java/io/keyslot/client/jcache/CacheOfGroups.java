// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.group.GroupedCache;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cache, as the groups of its manager see it. Safe for use by several threads. */
record CacheOfGroups<K, V>(KeyslotCache<K, V> cache, CacheParts<K, V> parts, Arguments<K, V> check)
        implements GroupedCache<K, V> {
    @Override
    public String entityType() {
        return parts.entityType();
    }

    @Override
    public boolean isReplicated() {
        return cache.isReplicated();
    }

    @Override
    public @Nullable V getAt(PartitionId partition, K key) {
        return cache.getAt(partition, key);
    }

    @Override
    public EncodedKey encode(K key) {
        return parts.encode(check.key(key));
    }

    @Override
    public @Nullable K decode(EncodedKey key) {
        return parts.decodeOrNull(key);
    }

    @Override
    public Envelope encode(V value, long stamp, Expiry expiry) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public Optional<V> decode(Envelope envelope) {
        return parts.coder().decode(envelope);
    }

    @Override
    public Optional<Expiry> onCreation() {
        return parts.expiry().onCreation();
    }

    @Override
    public Optional<Expiry> onUpdate() {
        return parts.expiry().onUpdate();
    }

    @Override
    public Expiry lasting(Duration timeToLive) {
        return Expiry.after(timeToLive);
    }

    @Override
    public void requireWritable() {
        throw new UnsupportedOperationException("not yet");
    }
}

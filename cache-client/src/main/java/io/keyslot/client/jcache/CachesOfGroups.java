// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.group.GroupedCaches;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The view of a manager's caches for its groups. Thread-safe. */
record CachesOfGroups(KeyslotCacheManager manager) implements GroupedCaches {
    @Override
    public <K, V> GroupedCache<K, V> of(PartitionedCache<K, V> cache) {
        if (ObservedCache.within(cache) instanceof KeyslotCache<K, V> ours && ours.getCacheManager() == manager) {
            return ours.grouped();
        }
        throw new IllegalArgumentException(
                "Cache %s: it is not a cache of the manager %s, whose group this is; use a cache of the same manager"
                        .formatted(cache.getName(), manager.getURI()));
    }

    @Override
    public Optional<GroupedCache<?, ?>> ofType(String entityType) {
        return manager.openCacheOf(entityType).map(KeyslotCache::grouped);
    }

    @Override
    public void checkOpen() {
        manager.checkOpen();
    }

    /** The view of a cache for the groups of its manager. Thread-safe. */
    record CacheOfGroups<K, V>(KeyslotCache<K, V> cache, Arguments<K, V> check, CacheAssembly<K, V> parts)
            implements GroupedCache<K, V> {
        @Override
        public EncodedKey encode(K key) {
            return parts.calls.encode(check.key(key));
        }

        @Override
        public @Nullable Feed feed() {
            return parts.feed;
        }

        @Override
        public Class<V> valueType() {
            return check.valueType();
        }

        @Override
        public Envelope encode(EncodedKey key, V value, long stamp, Expiry expiry, @Nullable Envelope before) {
            return parts.coder.encode(key, check.value(value), parts.lifetimes.freshUntil(expiry, before), stamp);
        }

        /** Returns no stale value, which a transaction could not reload. */
        @Override
        public Optional<V> decode(EncodedKey key, Envelope envelope) {
            return parts.lifetimes.isFresh(envelope) ? parts.coder.decode(key, envelope) : Optional.empty();
        }

        @Override
        public Optional<Expiry> onCreation() {
            return parts.rules.onCreation();
        }

        @Override
        public Optional<Expiry> onUpdate() {
            return parts.rules.ofPuts().onUpdate();
        }

        @Override
        public Expiry kept(Expiry expiry) {
            return parts.lifetimes.kept(expiry);
        }

        @Override
        public boolean mayBeBlind() {
            return parts.lifetimes.mayBeBlind(parts.rules);
        }

        @Override
        public void requireWritable() {
            if (parts.writer.isOn()) {
                throw new UnsupportedOperationException(
                        "Cache %s: it has a writer, which a group transaction would pass by; change it outside of the transaction"
                                .formatted(parts.calls.name()));
            }
        }
    }
}

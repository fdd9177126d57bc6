// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.group.GroupedCaches;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
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
    record CacheOfGroups<K, V>(
            KeyslotCache<K, V> cache, CacheCalls<K> calls, Arguments<K, V> check, EntryForms<K, V> forms)
            implements GroupedCache<K, V> {
        @Override
        public EncodedKey encode(K key) {
            return calls.encode(check.key(key));
        }

        @Override
        public Class<V> valueType() {
            return check.valueType();
        }

        @Override
        public Envelope encode(V value, long stamp, Expiry expiry, @Nullable Envelope before) {
            return forms.coder().encode(check.value(value), forms.lifetimes().freshUntil(expiry, before), stamp);
        }

        /** Returns no stale value, which a transaction could not reload. */
        @Override
        public Optional<V> decode(Envelope envelope) {
            return forms.lifetimes().isFresh(envelope) ? forms.coder().decode(envelope) : Optional.empty();
        }

        @Override
        public Optional<Expiry> onCreation() {
            return forms.rules().onCreation();
        }

        @Override
        public Optional<Expiry> onUpdate() {
            return forms.rules().onUpdate();
        }

        @Override
        public Expiry kept(Expiry expiry) {
            return forms.lifetimes().kept(expiry);
        }

        @Override
        public boolean mayBeBlind() {
            ExpiryRules rules = forms.rules();
            return rules.isConstant()
                    && (!forms.lifetimes().areTracked() || rules.onCreation().equals(rules.onUpdate()));
        }

        @Override
        public void requireWritable() {
            if (cache.hasWriter()) {
                throw new UnsupportedOperationException(
                        "Cache %s: it has a writer, which a group transaction would pass by; change it outside of the transaction"
                                .formatted(calls.name()));
            }
        }
    }
}

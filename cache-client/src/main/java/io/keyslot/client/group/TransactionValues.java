// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.TransactionRows;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.group.ReadSet.KnownEntry;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one entity type in a transaction: read with their stamps and written with the commit, without loader,
 * writer, statistics and listeners. A put reads the previous entry only if necessary.
 */
record TransactionValues<V>(TransactionRun run, ValueForm<V> form) {
    Optional<V> get(EncodedKey key) {
        run.begin();
        run.count(run.readSet().hasUsed(key) ? 0 : 1, 0);
        return valueOf(key, run.entry(key));
    }

    void prepare(List<EncodedKey> keys) {
        run.begin();
        run.readEntries(keys);
    }

    /** Stores a value; a null {@code timeToLive} means that of the cache. */
    void put(EncodedKey key, V value, @Nullable Duration timeToLive) {
        beginChange();
        if (!run.readSet().knows(key) && (timeToLive != null || form.mayBeBlind())) {
            Expiry creation = timeToLive == null ? form.onCreation().orElseThrow() : Expiry.after(timeToLive);
            Expiry update = timeToLive == null ? form.onUpdate().orElseThrow() : creation;
            Envelope envelope = form.encode(key, value, run.stamp(), creation, null);
            store(run.readSet().entry(key), key, envelope, creation, update);
        } else {
            replace(run.entry(key), key, value, timeToLive);
        }
    }

    boolean putIfAbsent(EncodedKey key, V value) {
        beginChange();
        KnownEntry entry = run.entry(key);
        if (valueOf(key, entry).isPresent()) {
            return false;
        }
        replace(entry, key, value, null);
        return true;
    }

    boolean remove(EncodedKey key) {
        beginChange();
        KnownEntry entry = run.entry(key);
        boolean wasThere = valueOf(key, entry).isPresent();
        remove(entry, key);
        return wasThere;
    }

    private void beginChange() {
        run.begin();
        form.requireWritable();
        run.count(1, 0);
    }

    private void replace(KnownEntry entry, EncodedKey key, V value, @Nullable Duration timeToLive) {
        boolean isThere = valueOf(key, entry).isPresent();
        Optional<Expiry> expiry = timeToLive != null
                ? Optional.of(Expiry.after(timeToLive))
                : isThere ? form.onUpdate() : form.onCreation();
        if (expiry.isEmpty()) {
            remove(entry, key); // a value that expires at once is never visible, and the previous one is removed
            return;
        }
        Envelope envelope = form.encode(key, value, run.stamp(), expiry.get(), isThere ? entry.present() : null);
        store(entry, key, envelope, expiry.get().isUnchanged() ? Expiry.NEVER : expiry.get(), expiry.get());
    }

    private void store(KnownEntry entry, EncodedKey key, Envelope envelope, Expiry creation, Expiry update) {
        run.count(0, envelope.sizeBytes());
        run.record(new GroupStep.PutEntry(key, envelope, form.kept(creation), form.kept(update)));
        entry.change(envelope);
    }

    /**
     * Removes even a missing entry, to end the lease of a loader that may have read a value being deleted elsewhere.
     */
    private void remove(KnownEntry entry, EncodedKey key) {
        run.record(new GroupStep.RemoveEntry(key));
        entry.change(null);
    }

    private Optional<V> valueOf(EncodedKey key, KnownEntry entry) {
        Envelope present = entry.present();
        return present == null ? Optional.empty() : form.decode(key, present);
    }

    /** The entries of a cache that belong to the group, in a transaction. */
    record TransactionEntries<K, V>(GroupKeys group, GroupedCache<K, V> cache, TransactionValues<V> values)
            implements GroupEntries<K, V> {

        @Override
        public @Nullable V get(K key) {
            return values.get(encode(key)).orElse(null);
        }

        @Override
        public Map<K, V> getAll(Set<? extends K> keys) {
            Map<K, EncodedKey> encoded = new LinkedHashMap<>();
            keys.forEach(key -> encoded.put(key, encode(key)));
            values.prepare(List.copyOf(encoded.values()));
            Map<K, V> found = new LinkedHashMap<>();
            encoded.forEach((key, stored) -> values.get(stored).ifPresent(value -> found.put(key, value)));
            return found;
        }

        @Override
        public boolean containsKey(K key) {
            return values.get(encode(key)).isPresent();
        }

        @Override
        public void put(K key, V value) {
            values.put(encode(key), value, null);
        }

        @Override
        public void put(K key, V value, Duration timeToLive) {
            values.put(encode(key), value, Objects.requireNonNull(timeToLive, "timeToLive"));
        }

        @Override
        public boolean putIfAbsent(K key, V value) {
            return values.putIfAbsent(encode(key), value);
        }

        @Override
        public boolean remove(K key) {
            return values.remove(encode(key));
        }

        private EncodedKey encode(K key) {
            EncodedKey encoded = cache.encode(key);
            group.check(encoded);
            return encoded;
        }
    }

    /** The rows of an entity type in a transaction. The index has no stamp to detect insertions, so there are no ranges. */
    record Rows<V>(GroupKeys group, String type, TransactionValues<V> contents) implements TransactionRows<V> {

        @Override
        public @Nullable V get(String id) {
            return contents.get(key(id)).orElse(null);
        }

        @Override
        public void put(String id, V value) {
            contents.put(key(id), value, null);
        }

        @Override
        public void put(String id, V value, Duration timeToLive) {
            contents.put(key(id), value, Objects.requireNonNull(timeToLive, "timeToLive"));
        }

        @Override
        public boolean remove(String id) {
            return contents.remove(key(id));
        }

        private EncodedKey key(String id) {
            return group.encodeRow(type, id);
        }
    }
}

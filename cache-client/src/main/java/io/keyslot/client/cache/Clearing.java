// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Removes all entries of all partitions, page by page. Thread-safe. */
public final class Clearing<K, V> {
    private final CacheCalls<K> calls;
    private final KeyScan scan;
    private final BulkChanges<K, V> bulk;
    private final EntryStore<V> store;
    private final LocalEntries<K, V> kept;

    public Clearing(
            CacheCalls<K> calls, KeyScan scan, BulkChanges<K, V> bulk, EntryStore<V> store, LocalEntries<K, V> kept) {
        this.calls = calls;
        this.scan = scan;
        this.bulk = bulk;
        this.store = store;
        this.kept = kept;
    }

    /** Removes all entries, in the cache and by the writer. */
    public void removeAll() {
        forEachPage("removeAll", page -> {
            Set<K> keys = new LinkedHashSet<>();
            List<EncodedKey> foreign = new ArrayList<>();
            for (EncodedKey encoded : page) {
                K key = calls.decodeOrNull(encoded);
                if (key == null) {
                    foreign.add(encoded);
                } else {
                    keys.add(key);
                }
            }
            bulk.removeSilently("removeAll", foreign);
            bulk.removePage(List.copyOf(keys));
        });
    }

    /** Removes all entries without events and without the writer. */
    public void clear(String operation) {
        forEachPage(operation, page -> bulk.removeSilently(operation, page));
    }

    /** As {@link #clear}; entries of a failed partition are removed in the background. Returns the failure, or null. */
    @Nullable
    CacheException clearOrLater(String operation) {
        store.clearing();
        try {
            return scan.forEachPageOrLater(operation, page -> bulk.removeSilently(operation, page));
        } finally {
            kept.clear();
        }
    }

    private void forEachPage(String operation, Consumer<List<EncodedKey>> removal) {
        store.clearing();
        try {
            scan.forEachPage(operation, removal);
        } finally {
            kept.clear();
        }
    }
}

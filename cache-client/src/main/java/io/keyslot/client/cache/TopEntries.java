// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.cache.ListedEntries.StoredEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The first entries in an order, or any without one, up to a limit. For use by one thread. */
final class TopEntries<K, V> {
    private final int limit;
    private final @Nullable Comparator<? super Cache.Entry<K, V>> order;
    private final Queue<StoredEntry<K, V>> kept; // its head is the last entry in the order
    private final Set<String> keys = new HashSet<>();
    private boolean truncated;

    TopEntries(int limit, @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        this.limit = limit;
        this.order = order;
        this.kept = order == null ? new ArrayDeque<>() : new PriorityQueue<>(order.reversed());
    }

    /**
     * Returns whether this key is kept. An unchanged entry that was not kept is never kept later, so none is kept
     * twice.
     */
    boolean has(String entityKey) {
        return keys.contains(entityKey);
    }

    void add(StoredEntry<K, V> entry) {
        if (kept.size() < limit) {
            keep(entry);
            return;
        }
        truncated = true;
        if (order != null && order.compare(entry, kept.element()) < 0) {
            keys.remove(kept.remove().entityKey());
            keep(entry);
        }
    }

    private void keep(StoredEntry<K, V> entry) {
        kept.add(entry);
        keys.add(entry.entityKey());
    }

    int size() {
        return kept.size();
    }

    boolean isTruncated() {
        return truncated;
    }

    List<StoredEntry<K, V>> toList() {
        return new ArrayList<>(kept);
    }
}

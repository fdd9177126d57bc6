// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

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

/**
 * The first of the entries that were added, in an order, or any of them if there is none; never more than the limit. For
 * use by one thread.
 */
final class TopEntries<K, V> {
    private final int limit;
    private final @Nullable Comparator<? super Cache.Entry<K, V>> order;
    private final Queue<StoredEntry<K, V>> kept; // the last of them is the first to go
    private final Set<String> keys = new HashSet<>();
    private boolean truncated;

    TopEntries(int limit, @Nullable Comparator<? super Cache.Entry<K, V>> order) {
        this.limit = limit;
        this.order = order;
        this.kept = order == null ? new ArrayDeque<>() : new PriorityQueue<>(order.reversed());
    }

    /**
     * Returns whether the entry of this key is among them. One that is not, and comes again as it was, would not be now
     * either: so no entry is kept twice although not all are remembered.
     */
    boolean has(String entityKey) {
        return keys.contains(entityKey);
    }

    /** Adds an entry that is not among them. */
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

    /** Returns whether there were more than the limit. */
    boolean isTruncated() {
        return truncated;
    }

    /** Returns the entries, in any order. */
    List<StoredEntry<K, V>> toList() {
        return new ArrayList<>(kept);
    }
}

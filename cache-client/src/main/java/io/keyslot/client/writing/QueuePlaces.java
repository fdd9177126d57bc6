// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of a call in the queue while it changes the cache. Closing it gives back unfilled places. The cache is
 * changed and the places are filled under the {@linkplain #begin lock} of the entries. For use by one thread.
 */
final class QueuePlaces<K, V> implements AutoCloseable {
    private final WriteBehind<K, V> behind;
    private final Set<K> open;
    private @Nullable Turn<K> turn;

    QueuePlaces(WriteBehind<K, V> behind, List<K> keys) {
        this.behind = behind;
        this.open = new HashSet<>(keys);
    }

    /**
     * Locks the entries until this is closed, so that no other call of this process sees a change before it is queued.
     * Throws {@link io.keyslot.cache.failure.CacheOverloadedException} if others take too long.
     */
    void begin() {
        turn = behind.begin(open);
    }

    void fill(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, false));
    }

    /** Queues a change that the cache may not have made; after the write, the stored value counts as outdated. */
    void fillUnsure(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, true));
    }

    private void fill(K key, QueuedChange<V> change) {
        if (open.remove(key)) {
            behind.fill(key, change);
        }
    }

    @Override
    public void close() {
        if (turn != null) {
            behind.end(turn);
            turn = null;
        }
        open.forEach(behind::giveBack);
        open.clear();
    }
}

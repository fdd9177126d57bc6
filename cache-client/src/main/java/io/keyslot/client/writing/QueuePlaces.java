// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places that a call has in the queue while it changes the cache. Those that are not filled are given back when it is
 * closed. The cache is changed, and the place filled, when it is this call's {@linkplain #begin turn}. For use by one thread.
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
     * Waits until no other call changes one of the entries, and keeps others out until this is closed: nobody of this process
     * sees the change without its place being filled.
     *
     * @throws io.keyslot.cache.failure.CacheOverloadedException if others took too long
     */
    void begin() {
        turn = behind.begin(open);
    }

    /** Queues the change of a key: the cache has it. */
    void fill(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, false));
    }

    /** Queues the change of a key that the cache may not have: its copy is out of date once the change is written. */
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The places that a call has in the queue while it changes the cache. Those that are not filled are given back when it is
 * closed. The cache is changed, and the place filled, {@linkplain #inTurn in turn} with all others of this process. For use
 * by one thread.
 */
public final class QueuePlaces<K, V> implements AutoCloseable {
    private final WriteBehind<K, V> behind;
    private final Set<K> open;

    public QueuePlaces(WriteBehind<K, V> behind, List<K> keys) {
        this.behind = behind;
        this.open = new HashSet<>(keys);
    }

    /**
     * Changes entries and fills their places while no other call does with one of them: nobody of this process sees the one
     * without the other. What is done in here must not run code of the application, but for its codec.
     *
     * @throws io.keyslot.cache.failure.CacheOverloadedException if others took too long, and nothing was done
     */
    public <T> T inTurn(Collection<K> keys, Supplier<T> change) {
        return behind.inTurn(keys, change);
    }

    /** Queues the change of a key: the cache has it. */
    public void fill(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, false));
    }

    /** Queues the change of a key that the cache may not have: its copy is out of date once the change is written. */
    public void fillUnsure(K key, PendingChange<V> change) {
        fill(key, new QueuedChange<>(change, true));
    }

    private void fill(K key, QueuedChange<V> change) {
        if (open.remove(key)) {
            behind.fill(key, change);
        }
    }

    @Override
    public void close() {
        open.forEach(behind::giveBack);
        open.clear();
    }
}

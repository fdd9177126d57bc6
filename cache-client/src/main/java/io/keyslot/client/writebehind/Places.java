// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writebehind;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The places that a call has in the queue while it changes the cache. Those that are not filled are given back when it is
 * closed. For use by one thread.
 */
public final class Places<K, V> implements AutoCloseable {
    private final Set<K> open;
    private final BiConsumer<K, QueuedChange<V>> filling;
    private final Consumer<K> givingBack;

    Places(List<K> keys, BiConsumer<K, QueuedChange<V>> filling, Consumer<K> givingBack) {
        this.open = new HashSet<>(keys);
        this.filling = filling;
        this.givingBack = givingBack;
    }

    /** Queues the change of a key: the cache has it. */
    public void fill(K key, Change<V> change) {
        fill(key, new QueuedChange<>(change, false));
    }

    /** Queues the change of a key that the cache may not have: its copy is out of date once the change is written. */
    public void fillUnsure(K key, Change<V> change) {
        fill(key, new QueuedChange<>(change, true));
    }

    private void fill(K key, QueuedChange<V> change) {
        if (open.remove(key)) {
            filling.accept(key, change);
        }
    }

    @Override
    public void close() {
        open.forEach(givingBack);
        open.clear();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queued changes of one key, which take one place in the queue. Guarded by the queue; compared by identity. */
final class KeyState<K, V> {
    private final K key;

    /** The number of calls that are changing the entry, each of which may still queue a change. */
    int calls;

    @Nullable
    QueuedChange<V> waiting;

    @Nullable
    QueuedChange<V> underWay;

    long due;

    /** The number of successive failures of the writer for this key. */
    int failures;

    KeyState(K key) {
        this.key = key;
    }

    K key() {
        return key;
    }

    boolean isIdle() {
        return calls == 0 && !hasChange();
    }

    boolean hasChange() {
        return waiting != null || underWay != null;
    }

    /** Returns the last change, waiting or being written. */
    Optional<QueuedChange<V>> last() {
        return Optional.ofNullable(waiting != null ? waiting : underWay);
    }

    void takeUnderWay() {
        underWay = waiting;
        waiting = null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What waits for one key. It takes one place in the queue. Equal to itself only; guarded by the queue. */
final class KeyState<K, V> {
    private final K key;

    /** The calls that are changing the entry now: each may still have a change for the queue. */
    int calls;

    /** The last change that is not under way yet. */
    @Nullable
    QueuedChange<V> waiting;

    /** The change that the writer has been given and has not answered for. */
    @Nullable
    QueuedChange<V> underWay;

    /** When {@link #waiting} is due. */
    long due;

    /** How often in a row the writer failed for this key. */
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

    /** Returns the last change, whether or not the writer has been given it. */
    Optional<QueuedChange<V>> last() {
        return Optional.ofNullable(waiting != null ? waiting : underWay);
    }

    void takeUnderWay() {
        underWay = waiting;
        waiting = null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A call that changes entries and queues the changes, when it is its turn for all of them. Equal to itself only. */
final class Turn<K> {
    private final Set<K> keys;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /** In how many lines another call comes first; guarded by the lines. */
    int behind;

    Turn(Set<K> keys) {
        this.keys = keys;
    }

    Set<K> keys() {
        return keys;
    }

    /** Returns what becomes true when it is this call's turn, and false when it will not be. */
    CompletableFuture<Boolean> begun() {
        return begun;
    }

    /** Returns what becomes true when the call has queued its changes, or will not. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /** Returns whether the call may be between cache and queue now. */
    boolean isUnderWay() {
        return begun.getNow(false);
    }
}

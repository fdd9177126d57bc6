// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The lock, or the wait for it, of a call that changes entries and queues the changes. Compared by identity. */
final class Turn<K> {
    private final Set<K> keys;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /** The number of lines in which another call comes first; guarded by the lines. */
    int behind;

    Turn(Set<K> keys) {
        this.keys = keys;
    }

    Set<K> keys() {
        return keys;
    }

    CompletableFuture<Boolean> begun() {
        return begun;
    }

    /** Becomes true when the call has queued its changes, or will not. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    boolean isUnderWay() {
        return begun.getNow(false);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A change in the queue, how often it was attempted, and who waits for it. Guarded by the queue. */
final class QueuedChange<V> {
    private final PendingChange<V> change;
    private @Nullable CompletableFuture<Boolean> written;
    private boolean unsure;
    private int failures;

    /** Takes a change, and whether the cache may not have made it. */
    QueuedChange(PendingChange<V> change, boolean unsure) {
        this.change = change;
        this.unsure = unsure;
    }

    PendingChange<V> change() {
        return change;
    }

    /** Returns what becomes true when the change is written, and false when it is given up. */
    CompletableFuture<Boolean> written() {
        CompletableFuture<Boolean> known = written == null ? new CompletableFuture<>() : written;
        written = known;
        return known;
    }

    /** Stands in for an earlier change of the same key that is not written any more: who waits for that one waits for this. */
    void replace(QueuedChange<V> earlier) {
        follow(earlier);
        CompletableFuture<Boolean> awaited = earlier.written;
        if (awaited != null && written == null) {
            written = awaited;
        } else if (awaited != null) {
            CompletableFuture<Void> unused = written().thenAccept(awaited::complete);
        }
    }

    /** Comes after an earlier change: what the cache may not have of that one, it may not have now. */
    void follow(QueuedChange<V> earlier) {
        unsure |= earlier.unsure;
    }

    boolean isUnsure() {
        return unsure;
    }

    void end(boolean wasWritten) {
        if (written != null) {
            written.complete(wasWritten);
        }
    }

    /** Counts a failed attempt; returns how many there were. */
    int failed() {
        return ++failures;
    }
}

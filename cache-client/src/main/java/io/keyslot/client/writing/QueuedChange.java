// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A change in the queue, with its attempts and waiting calls. Guarded by the queue. */
final class QueuedChange<V> {
    private final PendingChange<V> change;
    private @Nullable CompletableFuture<Boolean> written;
    private boolean unsure;
    private int failures;

    /** Creates a change; {@code unsure} tells that the cache may not have made it. */
    QueuedChange(PendingChange<V> change, boolean unsure) {
        this.change = change;
        this.unsure = unsure;
    }

    PendingChange<V> change() {
        return change;
    }

    /** Returns a future that becomes true when the change is written, and false when it is given up. */
    CompletableFuture<Boolean> written() {
        CompletableFuture<Boolean> known = written == null ? new CompletableFuture<>() : written;
        written = known;
        return known;
    }

    /** Replaces an earlier change of the same key, which will not be written, also for calls that wait for it. */
    void replace(QueuedChange<V> earlier) {
        follow(earlier);
        CompletableFuture<Boolean> awaited = earlier.written;
        if (awaited != null && written == null) {
            written = awaited;
        } else if (awaited != null) {
            CompletableFuture<Void> unused = written().thenAccept(awaited::complete);
        }
    }

    /** Inherits the uncertainty of an earlier change. */
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

    int failed() {
        return ++failures;
    }
}

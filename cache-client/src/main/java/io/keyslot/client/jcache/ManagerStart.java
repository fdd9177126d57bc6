// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The place of one manager: started by one thread, and awaited by others. Safe for use by several threads. */
final class ManagerStart {
    private final Thread starter = Thread.currentThread();
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** What has come of the start: one of the two is null. */
    record Outcome(
            @Nullable KeyslotCacheManager manager, @Nullable Throwable failure) {
        /** Returns the manager; throws for each who waits an exception of its own. */
        KeyslotCacheManager orThrow() {
            if (failure != null) {
                throw new CacheException(failure.getMessage(), failure);
            }
            return Objects.requireNonNull(manager);
        }
    }

    void succeed(KeyslotCacheManager manager) {
        outcome.complete(new Outcome(manager, null));
    }

    void fail(Throwable failure) {
        outcome.complete(new Outcome(null, failure));
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** Refuses to let the thread wait that everybody waits for. */
    void requireOtherThread() {
        if (!outcome.isDone() && starter.equals(Thread.currentThread())) {
            throw new IllegalStateException("This thread is starting the same cache manager");
        }
    }

    /** Returns whether there is a manager and it was closed, so that another one may take its place. */
    boolean isClosed() {
        Outcome known = outcome.getNow(null);
        return known != null && known.manager != null && known.manager.isClosed();
    }

    boolean isOf(KeyslotCacheManager manager) {
        Outcome known = outcome.getNow(null);
        return known != null && manager.equals(known.manager);
    }

    /** Closes the manager, or has it closed as soon as it has started, by the thread that starts it. */
    void close() {
        Outcome known = outcome.getNow(null);
        if (known != null) {
            close(known);
        } else {
            CompletableFuture<Void> unused = outcome.thenAccept(ManagerStart::close);
        }
    }

    private static void close(Outcome known) {
        if (known.manager != null) {
            known.manager.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The start of one manager by one thread, for which others wait. Thread-safe. */
final class ManagerStart {
    private final Thread starter = Thread.currentThread();
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** The outcome of the start: either the manager or the failure is null. */
    record Outcome(
            @Nullable KeyslotCacheManager manager, @Nullable Throwable failure) {
        /** Returns the manager, or throws a new exception, so that each waiting thread has its own. */
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

    /** Throws if the starting thread would wait for itself. */
    void requireOtherThread() {
        if (!outcome.isDone() && starter.equals(Thread.currentThread())) {
            throw new IllegalStateException("This thread is starting the same cache manager");
        }
    }

    /** Returns whether the manager was closed, so that another one may take its place. */
    boolean isClosed() {
        Outcome known = outcome.getNow(null);
        return known != null && known.manager != null && known.manager.isClosed();
    }

    boolean isOf(KeyslotCacheManager manager) {
        Outcome known = outcome.getNow(null);
        return known != null && manager.equals(known.manager);
    }

    /** Closes the manager; if it is being started, its starting thread closes it afterwards. */
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

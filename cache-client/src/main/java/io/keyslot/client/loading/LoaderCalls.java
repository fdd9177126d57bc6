// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.routing.Waiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the application's loader: on the caller's thread, or with a timeout on one of the manager's. Safe for use by several
 * threads.
 */
public final class LoaderCalls {
    /** Whether this thread runs a loader, which may read other entries, and they may be waiting for this one. */
    private static final ThreadLocal<Boolean> IN_LOADER = new ThreadLocal<>();

    private final String cacheName;
    private final @Nullable Duration timeout;
    private final ExecutorService pool;
    private final Waiter waiter;

    /** @param timeout null for none */
    public LoaderCalls(String cacheName, @Nullable Duration timeout, ExecutorService pool, Waiter waiter) {
        this.cacheName = cacheName;
        this.timeout = timeout;
        this.pool = pool;
        this.waiter = waiter;
    }

    /**
     * Calls the loader.
     *
     * @throws CacheLoaderException if there is no answer in time; the thread that calls the loader is interrupted then
     * @throws CacheOverloadedException if all threads for loads are in use
     */
    public <T> T call(Supplier<T> loader) {
        Supplier<T> marked = () -> marked(loader);
        Duration longest = timeout;
        return longest == null ? marked.get() : callWithin(longest, marked);
    }

    private static <T> T marked(Supplier<T> loader) {
        if (isInLoader()) {
            return loader.get();
        }
        IN_LOADER.set(true);
        try {
            return loader.get();
        } finally {
            IN_LOADER.remove();
        }
    }

    /** Returns whether the calling thread is within a loader: it must not wait long for another. */
    public static boolean isInLoader() {
        return IN_LOADER.get() != null;
    }

    private <T> T callWithin(Duration longest, Supplier<T> loader) {
        CompletableFuture<Supplier<T>> answer = new CompletableFuture<>();
        Future<?> call = submit(() -> answer.complete(outcomeOf(loader)));
        return waiter.awaitClose(answer, longest, () -> {
                    call.cancel(true);
                    return () -> {
                        throw new CacheLoaderException(
                                "Cache %s: the loader gave no answer within %d ms; make it faster, or raise loading.timeout"
                                        .formatted(cacheName, longest.toMillis()));
                    };
                })
                .get();
    }

    /** Calls the loader in the background; returns whether there was a thread for it. */
    public boolean inBackground(Runnable load) {
        try {
            pool.execute(load);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private Future<?> submit(Runnable call) {
        try {
            return pool.submit(call);
        } catch (RejectedExecutionException e) {
            throw new CacheOverloadedException(
                    "Cache %s: nothing was loaded, all threads for loads are in use; make the loader faster, or raise loading.threads"
                            .formatted(cacheName),
                    e);
        }
    }

    @SuppressWarnings("IllegalCatch") // what the loader throws belongs to the thread that waits for it
    private static <T> Supplier<T> outcomeOf(Supplier<T> loader) {
        try {
            T value = loader.get();
            return () -> value;
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        } catch (Error e) {
            return () -> {
                throw e;
            };
        }
    }
}

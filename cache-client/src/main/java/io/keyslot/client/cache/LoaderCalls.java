// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** Calls the application's loader: on the caller's thread, or with a timeout on a pool of the manager. Thread-safe. */
public final class LoaderCalls {
    private final String cacheName;
    private final @Nullable Duration timeout;
    private final Executor pool;
    private final Executor background;
    private final int bulkhead;
    private final AtomicInteger insideBulkhead = new AtomicInteger();
    private final Waiter waiter;

    /**
     * Creates the calls of one cache; the timeout may be null. The background pool must not be the loaders' pool, for
     * which its tasks wait.
     */
    public LoaderCalls(
            String cacheName,
            @Nullable Duration timeout,
            Executor pool,
            Executor background,
            int bulkhead,
            Waiter waiter) {
        this.cacheName = cacheName;
        this.timeout = timeout;
        this.pool = pool;
        this.background = background;
        this.bulkhead = bulkhead;
        this.waiter = waiter;
    }

    /**
     * Calls the loader of {@code keys}.
     *
     * @throws CacheLoaderException if there is no result in time; the thread of the loader is interrupted then
     * @throws CallInterruptedException if the calling thread was interrupted, and the loader failed or was not awaited
     * @throws CacheOverloadedException if all threads for loads are in use
     */
    public <T> T call(Set<?> keys, Supplier<T> loader) {
        Duration longest = timeout;
        try (CallScope load = enter(keys)) {
            return longest == null ? callHere(loader) : callWithin(longest, CallScope.carry(loader));
        }
    }

    /** Begins the scope of a load, in which code of the application must not wait for this load. */
    CallScope enter(Set<?> keys) {
        return CallScope.enter(new Loading(this, keys));
    }

    private record Loading(LoaderCalls calls, Set<?> keys) {}

    /**
     * As {@link #call}, for a load because of a missing partition. At most {@code bulkhead} of them run at a time, so that a
     * database survives the outage of its cache; this throws if they do, and never waits.
     */
    <T> T callBounded(Set<?> keys, Supplier<T> loader) {
        if (insideBulkhead.getAndUpdate(inside -> Math.min(inside + 1, bulkhead)) >= bulkhead) {
            throw tooMany();
        }
        try {
            return call(keys, loader);
        } finally {
            insideBulkhead.decrementAndGet();
        }
    }

    private CacheOverloadedException tooMany() {
        return new CacheOverloadedException(
                ("Cache %s: nothing was loaded, as %d loads for a missing partition are under way;"
                                + " repeat the call later, or raise loading.bulkhead")
                        .formatted(cacheName, bulkhead));
    }

    /** Returns whether the calling thread is within a loader, and must not wait long for another one. */
    public static boolean isInLoader() {
        return CallScope.isWithin(Loading.class::isInstance);
    }

    /** Throws {@link CacheLoaderException} if the calling thread is within a loader of this key, and would not end. */
    public void checkNotWithin(Object key) {
        if (CallScope.isWithin(
                scope -> scope instanceof Loading load && load.calls == this && load.keys.contains(key))) {
            throw new CacheLoaderException(
                    ("Cache %s: the loader, or a listener or expiry policy that its load runs, reads the entry that is being"
                                    + " loaded, be it through the loader of another one; let it read from the source instead")
                            .formatted(cacheName));
        }
    }

    private <T> T callHere(Supplier<T> loader) {
        try {
            return loader.get();
        } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted() && !isInterruption(e)) {
                throw e;
            }
            Thread.currentThread().interrupt(); // many loaders wrap the exception and clear the flag
            throw interrupted(e);
        }
    }

    /** Returns whether an exception was caused by an interruption of the thread that throws it. */
    private static boolean isInterruption(RuntimeException failure) {
        Throwable cause = failure;
        while (cause != null
                && !(cause instanceof InterruptedException)
                && !(cause instanceof ExecutionException
                        || cause instanceof CompletionException)) { // of another thread
            cause = cause.getCause();
        }
        return cause instanceof InterruptedException;
    }

    private CallInterruptedException interrupted(@Nullable Throwable cause) {
        return new CallInterruptedException(
                "Cache %s: a load was given up: the thread was interrupted".formatted(cacheName), cause);
    }

    private <T> T callWithin(Duration longest, Supplier<T> loader) {
        CompletableFuture<Supplier<T>> answer = new CompletableFuture<>();
        Future<?> call = submit(() -> answer.complete(outcomeOf(loader)));
        return waiter.awaitClose(answer, longest, () -> this.<T>givenUp(call, longest))
                .get();
    }

    private <T> Supplier<T> givenUp(Future<?> call, Duration longest) {
        call.cancel(true);
        RuntimeException failure = Thread.currentThread().isInterrupted()
                ? interrupted(null)
                : new CacheLoaderException(
                        "Cache %s: the loader gave no answer within %d ms; make it faster, or raise loading.timeout"
                                .formatted(cacheName, longest.toMillis()));
        return () -> {
            throw failure;
        };
    }

    public boolean inBackground(Runnable load) {
        try {
            background.execute(load);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private Future<?> submit(Runnable call) {
        try {
            FutureTask<?> task = new FutureTask<>(call, null);
            pool.execute(task);
            return task;
        } catch (RejectedExecutionException e) {
            throw new CacheOverloadedException(
                    "Cache %s: nothing was loaded, all threads for loads are in use; make the loader faster, or raise loading.threads"
                            .formatted(cacheName),
                    e);
        }
    }

    @SuppressWarnings("IllegalCatch") // the waiting thread receives any exception of the loader
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

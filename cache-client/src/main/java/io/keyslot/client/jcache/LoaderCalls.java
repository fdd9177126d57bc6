// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.Counted;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the application's loader, on the caller's thread, or with a timeout on a pool of the manager; nothing else calls
 * it. Exceptions of the loader are wrapped as JSR-107 requires. The loader sees changes that have reached the cache.
 * Thread-safe.
 *
 * <p>At most {@code loading.bulkhead} loads because of a missing partition run at a time, so that a database survives the
 * outage of its cache. The background pool must not be the loaders' pool, for which its tasks wait.
 */
record LoaderCalls<K, V>(
        CacheCalls<K> cache,
        @Nullable CacheLoader<K, V> loader,
        ChangeWriter<K, V> writer,
        ReadPolicy policy,
        Executor pool,
        Executor background,
        Waiter waiter,
        CacheCounters counters,
        AtomicInteger insideBulkhead) {
    /** Returns the calls of another loader, which share the bulkhead of these. */
    LoaderCalls<K, V> with(CacheLoader<K, V> other) {
        return new LoaderCalls<>(cache, other, writer, policy, pool, background, waiter, counters, insideBulkhead);
    }

    /** Returns calls with another policy and a bulkhead of their own. */
    LoaderCalls<K, V> with(ReadPolicy other) {
        return new LoaderCalls<>(cache, loader, writer, other, pool, background, waiter, counters, new AtomicInteger());
    }

    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        return call(Set.of(key), cause, () -> Optional.ofNullable(loaded(key))).orElse(null);
    }

    private @Nullable Loaded<V> loaded(K key) {
        V answer = loader == null ? null : loader.load(key);
        return answer == null ? null : Loaded.of(answer);
    }

    /** Loads values. Keys without a value, and keys that were not requested, are omitted. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return call(Set.copyOf(keys), cause, () -> {
            Map<K, V> loaded = loader == null ? null : loader.loadAll(keys); // null is against the loader's contract
            Map<K, Loaded<V>> wanted = new LinkedHashMap<>();
            for (K key : keys) {
                V value = loaded == null ? null : loaded.get(key);
                if (value != null) {
                    wanted.put(key, Loaded.of(value));
                }
            }
            return wanted;
        });
    }

    /**
     * Calls the loader of {@code keys}.
     *
     * @throws CacheLoaderException if it fails, or gives no result in time; its thread is interrupted then
     * @throws CallInterruptedException if the calling thread was interrupted, and the loader failed or was not awaited
     * @throws CacheOverloadedException if no more loads may run
     */
    private <T> T call(Set<K> keys, LoadCause cause, Supplier<T> call) {
        writer.awaitChanges(keys);
        long start = cache.ticker().nanos();
        boolean isBegun = true;
        boolean isLoaded = false;
        try {
            T answer = cause == LoadCause.MISSING_PARTITION ? callBounded(keys, call) : call(keys, call);
            isLoaded = true;
            return answer;
        } catch (CacheOverloadedException e) {
            isBegun = false; // exceptions of the loader are CacheLoaderExceptions
            throw e;
        } finally {
            long nanos = cache.ticker().nanos() - start;
            if (isBegun) {
                counters.load(cause, isLoaded, nanos);
            } else {
                counters.telemetry().onLoadRejected(cause);
            }
        }
    }

    private <T> T callBounded(Set<K> keys, Supplier<T> call) {
        int most = policy.options().bulkhead();
        if (insideBulkhead.getAndUpdate(inside -> Math.min(inside + 1, most)) >= most) {
            throw new CacheOverloadedException(
                    ("Cache %s: nothing was loaded, as %s for a missing partition %s under way;"
                                    + " repeat the call later, or raise loading.bulkhead")
                            .formatted(cache.name(), Counted.of(most, "load"), most == 1 ? "is" : "are"));
        }
        try {
            return call(keys, call);
        } finally {
            insideBulkhead.decrementAndGet();
        }
    }

    private <T> T call(Set<K> keys, Supplier<T> call) {
        Duration timeout = policy.options().timeout();
        Supplier<T> wrapping = () -> {
            try {
                return call.get();
            } catch (CacheLoaderException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new CacheLoaderException("The cache loader failed: " + e, e);
            }
        };
        try (CallScope load = enter(keys)) {
            return timeout == null ? callHere(wrapping) : callWithin(timeout, CallScope.carry(wrapping));
        }
    }

    private <T> T callHere(Supplier<T> call) {
        try {
            return call.get();
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
                "Cache %s: a load was given up: the thread was interrupted".formatted(cache.name()), cause);
    }

    private <T> T callWithin(Duration timeout, Supplier<T> call) {
        CompletableFuture<Supplier<T>> outcome = new CompletableFuture<>();
        Future<?> task = submit(() -> outcome.complete(outcomeOf(call)));
        return waiter.awaitClose(outcome, timeout, () -> this.<T>givenUp(task, timeout))
                .get();
    }

    private Future<?> submit(Runnable call) {
        try {
            FutureTask<?> task = new FutureTask<>(call, null);
            pool.execute(task);
            return task;
        } catch (RejectedExecutionException e) {
            throw new CacheOverloadedException(
                    "Cache %s: nothing was loaded, all threads for loads are in use; make the loader faster, or raise loading.threads"
                            .formatted(cache.name()),
                    e);
        }
    }

    private <T> Supplier<T> givenUp(Future<?> task, Duration timeout) {
        task.cancel(true);
        RuntimeException failure = Thread.currentThread().isInterrupted()
                ? interrupted(null)
                : new CacheLoaderException(
                        "Cache %s: the loader gave no answer within %d ms; make it faster, or raise loading.timeout"
                                .formatted(cache.name(), timeout.toMillis()));
        return () -> {
            throw failure;
        };
    }

    @SuppressWarnings("IllegalCatch") // the waiting thread receives any exception of the loader
    private static <T> Supplier<T> outcomeOf(Supplier<T> call) {
        try {
            T value = call.get();
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

    /** Starts a load in the background; returns whether a thread was free. */
    boolean inBackground(Runnable load) {
        try {
            background.execute(load);
            return true;
        } catch (RejectedExecutionException e) {
            counters.telemetry().onLoadRejected(LoadCause.REFRESH);
            return false;
        }
    }

    /** Begins the scope of a load, which covers its listeners and expiry policies, which must not wait for it. */
    CallScope enter(Set<K> keys) {
        return CallScope.enter(new Loading(cache, keys));
    }

    private record Loading(CacheCalls<?> cache, Set<?> keys) {}

    /** Returns whether the calling thread is within a loader, and must not wait long for another one. */
    static boolean isInLoader() {
        return CallScope.isWithin(Loading.class::isInstance);
    }

    /** Throws {@link CacheLoaderException} if this thread is within a load of this entry, which would not end. */
    @SuppressWarnings("ReferenceEquality") // each cache has its own
    void checkNotWithin(K key) {
        if (CallScope.isWithin(
                scope -> scope instanceof Loading load && load.cache == cache && load.keys.contains(key))) {
            throw new CacheLoaderException(
                    ("Cache %s: the loader, or a listener or expiry policy that its load runs, reads the entry that is being"
                                    + " loaded, be it through the loader of another one; let it read from the source instead")
                            .formatted(cache.name()));
        }
    }

    /** A value that a loader returned, and its time to live if the loader has set one. */
    record Loaded<V>(V value, @Nullable Duration timeToLive) {
        @SuppressWarnings("unchecked") // by its contract, a loader wraps values of the cache
        static <V> Loaded<V> of(V answer) {
            return answer instanceof LoadedValue<?> loaded
                    ? new Loaded<>((V) loaded.value(), loaded.timeToLive())
                    : new Loaded<>(answer, null);
        }
    }
}

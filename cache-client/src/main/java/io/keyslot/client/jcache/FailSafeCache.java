// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the calls of a cache and hides their failures from the callers; they are logged. Thread-safe. */
record FailSafeCache<K, V>(
        CacheReads<K, V> reads,
        CacheWrites<K, V> writes,
        EntryProcessors<K, V> processors,
        Loads<K, V> loads,
        Function<Type, @Nullable String> problems,
        String cacheName,
        AsyncCalls async,
        LogPace pace,
        CacheTelemetry telemetry)
        implements FailSafeCalls<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(FailSafeCache.class);

    @Override
    public @Nullable V get(K key) {
        try {
            return reads.get(key);
        } catch (RuntimeException e) {
            forgive("get", e, reads.reportsOutages());
            return null;
        }
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        CompletionStage<@Nullable V> read = async.callAhead(1, () -> reads.getInParts(key, null), () -> {});
        return read.exceptionally(e -> {
            if (!(e instanceof RuntimeException failure)) {
                throw new CompletionException(e);
            }
            forgive("get", failure, reads.reportsOutages());
            return null;
        });
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        try {
            return reads.getAll(keys);
        } catch (RuntimeException e) {
            forgive("getAll", e, reads.reportsOutages());
            return Map.of();
        }
    }

    @Override
    public @Nullable V load(K key, Callable<? extends @Nullable Object> method) throws Exception {
        CalledMethod<K, V> called = new CalledMethod<>(method);
        return load(called, () -> reads.get(key, by(called)));
    }

    @Override
    public CompletionStage<@Nullable V> loadAsync(
            K key, Callable<? extends @Nullable Object> method, Executor executor) {
        CalledMethod<K, V> called = new CalledMethod<>(method);
        Loads<K, V> by = by(called);
        AsyncCalls.OneCommand<@Nullable V> read;
        try {
            read = reads.getInParts(key, by);
        } catch (RuntimeException noText) {
            read = AsyncCalls.OneCommand.none(() -> {
                throw noText;
            });
        }
        Supplier<@Nullable V> rest = read.rest();
        Supplier<@Nullable V> loading = () -> {
            try {
                return load(called, rest);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        };
        return async.callAhead(new AsyncCalls.OneCommand<>(read.sending(), loading, false), executor);
    }

    private Loads<K, V> by(CalledMethod<K, V> called) {
        return loads.with(loads.loader().with(called));
    }

    private @Nullable V load(CalledMethod<K, V> called, Supplier<@Nullable V> read) throws Exception {
        try {
            return read.get();
        } catch (RuntimeException e) {
            if (!called.isOver()) {
                Exception thrown = CalledMethod.thrownBy(e);
                if (thrown != null) {
                    throw thrown; // another thread called its method for this caller, too
                }
            }
            if (CalledMethod.thrownBy(e) == null) {
                forgiveLoad(e);
            }
        }
        return called.result();
    }

    /** A loader that reads the entry which it loads has to call its own method. */
    private void forgiveLoad(RuntimeException failure) {
        if (failure instanceof CacheLoaderException) {
            hide("load", failure);
        } else {
            forgive("load", failure, reads.reportsOutages());
        }
    }

    @Override
    public void put(K key, V value, @Nullable Duration timeToLive) {
        change("put", key, () -> {
            writes.put(key, value, timeToLive);
            return null;
        });
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> entries, @Nullable Duration timeToLive) {
        changeAll("putAll", entries.keySet(), () -> writes.putAll(entries, timeToLive));
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        return change(
                "putIfAbsent",
                key,
                () -> processors
                        .<@Nullable V>invoke(
                                "putIfAbsent",
                                key,
                                processors.rules().withTimeToLive(timeToLive),
                                (entry, arguments) -> {
                                    if (entry.exists()) {
                                        return entry.getValue();
                                    }
                                    entry.setValue(value);
                                    return null;
                                })
                        .now());
    }

    @Override
    public boolean remove(K key) {
        return Boolean.TRUE.equals(change("remove", key, () -> writes.remove(key)));
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        changeAll("removeAll", keys, () -> writes.removeAll(keys).now());
    }

    @Override
    public void clear() {
        try {
            writes.clearNowOrLater().now();
        } catch (RuntimeException e) {
            forgive("clear", e, writes.reportsOutages());
        }
    }

    @Override
    public @Nullable String problemOf(Type declared) {
        return problems.apply(declared);
    }

    private <T> @Nullable T change(String operation, K key, Supplier<@Nullable T> change) {
        try {
            return change.get();
        } catch (RuntimeException e) {
            forgive(operation, e, writes.reportsOutages());
            forget(key);
            return null;
        }
    }

    private void changeAll(String operation, Set<? extends K> keys, Runnable change) {
        try {
            change.run();
        } catch (RuntimeException e) {
            forgive(operation, e, writes.reportsOutages());
            keys.forEach(this::forget);
        }
    }

    private void forget(K key) {
        try {
            writes.forget(key);
        } catch (RuntimeException e) {
            hide("forget", e); // the key has no text, so nothing is stored under it
        }
    }

    private void forgive(String operation, RuntimeException failure, boolean reportsOutages) {
        boolean isOutage = failure instanceof PartitionUnavailableException
                || failure instanceof CacheOverloadedException
                || failure instanceof OutcomeUnknownException
                || failure instanceof CallInterruptedException;
        boolean isOfApplication = failure instanceof CacheLoaderException || failure instanceof CacheWriterException;
        if (isOfApplication || (isOutage && reportsOutages)) {
            throw failure;
        }
        hide(operation, failure);
    }

    /** Logs a failure that the caller does not see, at most once a minute for each operation. */
    private void hide(String operation, RuntimeException failure) {
        if (pace.permits(operation)) {
            LOG.warn(
                    "Cache {}: {} failed, and its caller goes on without the cache: {}",
                    cacheName,
                    operation,
                    failure.toString(),
                    failure instanceof KeyslotException ? null : failure); // one line: the message explains it
            LOG.debug("Cache {}: {} failed", cacheName, operation, failure);
        }
        telemetry.onForgiven(operation, failure);
    }

    /** A method of a caller that returns a missing value. It is called at most once. For use by one thread. */
    private static final class CalledMethod<K, V> implements CacheLoader<K, V> {
        private final Callable<? extends @Nullable Object> method;
        private boolean isOver;
        private @Nullable Object result;
        private @Nullable Exception failure;

        CalledMethod(Callable<? extends @Nullable Object> method) {
            this.method = method;
        }

        /** Carries an exception of the method to all threads that wait for its result. */
        private static final class MethodException extends CacheLoaderException {
            private static final long serialVersionUID = 1L;

            private final Exception thrown;

            MethodException(Exception thrown) {
                super("The method failed: " + thrown, thrown);
                this.thrown = thrown;
            }
        }

        /** Returns the exception of the method, perhaps of another caller, that made the call fail; otherwise null. */
        static @Nullable Exception thrownBy(RuntimeException failed) {
            for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
                if (cause instanceof MethodException known) {
                    return known.thrown;
                }
            }
            return null;
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // a loader may return null or a wrapped value
        public V load(K key) {
            call();
            if (failure != null) {
                throw new MethodException(failure);
            }
            return (V) result;
        }

        @Override
        public Map<K, V> loadAll(Iterable<? extends K> keys) {
            Map<K, V> loaded = new LinkedHashMap<>();
            keys.forEach(key -> loaded.put(key, load(key)));
            return loaded;
        }

        @SuppressWarnings("IllegalCatch") // the caller receives any exception of its method
        private void call() {
            if (!isOver) {
                try {
                    result = method.call();
                } catch (Exception e) {
                    failure = e;
                }
                isOver = true;
            }
        }

        boolean isOver() {
            return isOver;
        }

        @SuppressWarnings("unchecked") // the method returns a value of the cache
        @Nullable
        V result() throws Exception {
            call();
            if (failure != null) {
                throw failure;
            }
            return result instanceof LoadedValue<?> loaded ? (V) loaded.value() : (V) result;
        }
    }
}

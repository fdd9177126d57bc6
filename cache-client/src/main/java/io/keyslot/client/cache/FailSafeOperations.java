// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the calls of a cache and hides their failures from the callers. They are logged, at most once a minute for each
 * operation. Thread-safe.
 */
public final class FailSafeOperations<K, V> implements FailSafeCalls<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(FailSafeOperations.class);

    private final Reads<K, V> reads;
    private final Writes<K, V> writes;
    private final Processing<K, V> processing;
    private final Clearing<K, V> clearing;
    private final Function<CacheLoader<K, V>, Loads<K, V>> loads;
    private final CacheTelemetry telemetry;
    private final String cacheName;
    private final LogPace pace;

    public FailSafeOperations(
            Reads<K, V> reads,
            Writes<K, V> writes,
            Processing<K, V> processing,
            Clearing<K, V> clearing,
            Function<CacheLoader<K, V>, Loads<K, V>> loads,
            CacheTelemetry telemetry,
            String cacheName,
            Ticker ticker) {
        this.reads = reads;
        this.writes = writes;
        this.processing = processing;
        this.clearing = clearing;
        this.loads = loads;
        this.telemetry = telemetry;
        this.cacheName = cacheName;
        this.pace = new LogPace(ticker);
    }

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
    public @Nullable V load(K key, Callable<? extends @Nullable Object> method) throws Exception {
        CalledMethod<K, V> called = new CalledMethod<>(method);
        try {
            return reads.get(key, loads.apply(called));
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
            report("load", failure);
        } else {
            forgive("load", failure, reads.reportsOutages());
        }
    }

    @Override
    public void put(K key, V value) {
        change("put", key, () -> writes.put(key, value));
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        change("put", key, () -> writes.put(key, value, timeToLive));
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        return change(
                "putIfAbsent",
                key,
                () -> processing.<V>invoke("putIfAbsent", key, processing.rulesFor(timeToLive), (entry, arguments) -> {
                    if (entry.exists()) {
                        return entry.getValue();
                    }
                    entry.setValue(value);
                    return null;
                }));
    }

    @Override
    public boolean remove(K key) {
        return Boolean.TRUE.equals(change("remove", key, () -> writes.remove(key)));
    }

    @Override
    public void clear() {
        try {
            if (writes.reportsOutages()) {
                clearing.clear("clear");
                return;
            }
            CacheException later = clearing.clearOrLater("clear");
            if (later instanceof PartitionUnavailableException refused && refused.isForGood()) {
                report("clear", later);
            } else if (later != null) {
                telemetry.onJournaled();
            }
        } catch (RuntimeException e) {
            forgive("clear", e, writes.reportsOutages());
        }
    }

    private void change(String operation, K key, Runnable change) {
        change(operation, key, () -> {
            change.run();
            return null;
        });
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

    /** Deletes the stored value, which is outdated. */
    private void forget(K key) {
        try {
            writes.forget(key);
        } catch (RuntimeException e) {
            report("forget", e); // the key has no text, so nothing is stored under it
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
        report(operation, failure);
    }

    private void report(String operation, RuntimeException failure) {
        if (pace.permits(operation)) {
            LOG.warn("Cache {}: {} failed, and its caller goes on without the cache", cacheName, operation, failure);
        }
        telemetry.onForgiven(operation, failure);
    }
}

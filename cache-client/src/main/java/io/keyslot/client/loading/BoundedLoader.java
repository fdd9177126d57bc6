// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import io.keyslot.client.writing.ChangeWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the application's loader, with limits and measurements; nothing else calls it. The loader sees changes that
 * have reached the cache. Thread-safe.
 */
public final class BoundedLoader<K, V> {
    private final ReadThrough<K, V> loader;
    private final ChangeWriter<K, V> writer;
    private final LoaderCalls calls;
    private final CacheTelemetry telemetry;
    private final ReadPolicy policy;
    private final Ticker ticker;

    public BoundedLoader(
            ReadThrough<K, V> loader,
            ChangeWriter<K, V> writer,
            LoaderCalls calls,
            CacheTelemetry telemetry,
            ReadPolicy policy,
            Ticker ticker) {
        this.loader = loader;
        this.writer = writer;
        this.calls = calls;
        this.telemetry = telemetry;
        this.policy = policy;
        this.ticker = ticker;
    }

    boolean hasLoader() {
        return loader.hasLoader();
    }

    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        return call(Set.of(key), cause, () -> Optional.ofNullable(loader.load(key)))
                .orElse(null);
    }

    /** Loads values; keys without a value are omitted. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return call(Set.copyOf(keys), cause, () -> loader.loadAll(keys));
    }

    private <T> T call(Set<K> keys, LoadCause cause, Supplier<T> call) {
        writer.awaitChanges(keys);
        long start = ticker.nanos();
        boolean isLoaded = false;
        boolean isBegun = true;
        try {
            T answer = cause == LoadCause.MISSING_PARTITION ? calls.callBounded(keys, call) : calls.call(keys, call);
            isLoaded = true;
            return answer;
        } catch (CacheOverloadedException e) {
            isBegun = false; // exceptions of the loader are CacheLoaderExceptions
            throw e;
        } finally {
            note(keys, cause, isBegun, isLoaded, ticker.nanos() - start);
        }
    }

    private void note(Set<K> keys, LoadCause cause, boolean isBegun, boolean isLoaded, long nanos) {
        if (isBegun) {
            telemetry.onLoad(cause, isLoaded, nanos);
        } else {
            telemetry.onLoadRejected(cause);
        }
        if (isLoaded && keys.size() == 1) {
            policy.loadTook(nanos);
        }
    }

    /**
     * Throws {@code CacheLoaderException} if this thread is within the loader of this entry, so that a load would not
     * end.
     */
    void checkNotWithin(K key) {
        calls.checkNotWithin(key);
    }

    /** Begins the scope of a load, which covers its listeners and expiry policies. */
    CallScope enter(Set<K> keys) {
        return calls.enter(keys);
    }

    /** Starts a load in the background; returns whether a thread was free. */
    boolean inBackground(Runnable load) {
        boolean isBegun = calls.inBackground(load);
        if (!isBegun) {
            telemetry.onLoadRejected(LoadCause.REFRESH);
        }
        return isBegun;
    }

    void onStale(LoadCause cause) {
        telemetry.onStale(cause);
    }
}

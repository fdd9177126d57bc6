// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.LoadedValue;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/**
 * Calls the application's loader, with limits and measurements; nothing else calls it. Exceptions of the loader are
 * wrapped as JSR-107 requires. The loader sees changes that
 * have reached the cache. Thread-safe.
 */
public record BoundedLoader<K, V>(
        @Nullable CacheLoader<K, V> loader,
        ChangeWriter<K, V> writer,
        LoaderCalls calls,
        CacheTelemetry telemetry,
        ReadPolicy policy,
        Ticker ticker) {
    boolean hasLoader() {
        return loader != null;
    }

    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        return call(Set.of(key), cause, () -> Optional.ofNullable(loaded(key))).orElse(null);
    }

    /** Loads values; keys without a value are omitted. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return call(Set.copyOf(keys), cause, () -> allLoaded(keys));
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

    private @Nullable Loaded<V> loaded(K key) {
        try {
            V answer = loader == null ? null : loader.load(key);
            return answer == null ? null : Loaded.of(answer);
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
    }

    /** Loads values. Keys without a value, and keys that were not requested, are omitted. */
    private Map<K, Loaded<V>> allLoaded(Set<? extends K> keys) {
        Map<K, V> loaded = allOf(keys);
        Map<K, Loaded<V>> wanted = new LinkedHashMap<>();
        for (K key : keys) {
            V value = loaded == null ? null : loaded.get(key);
            if (value != null) {
                wanted.put(key, Loaded.of(value));
            }
        }
        return wanted;
    }

    /** Returns the loader's result, which may be null against its contract. */
    private @Nullable Map<K, V> allOf(Set<? extends K> keys) {
        try {
            return loader == null ? Map.of() : loader.loadAll(keys);
        } catch (RuntimeException e) {
            throw wrapped(e);
        }
    }

    private static CacheLoaderException wrapped(RuntimeException failure) {
        return failure instanceof CacheLoaderException already
                ? already
                : new CacheLoaderException("The cache loader failed: " + failure, failure);
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

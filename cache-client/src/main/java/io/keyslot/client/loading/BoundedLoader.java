// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.LoadCause;
import io.keyslot.client.entry.LoadObserver;
import io.keyslot.client.writing.ChangeWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only way to the application's loader: its calls are bounded, counted and measured. A change of the entry that has
 * reached the cache is known to the loader before it is asked. Safe for use by several threads.
 */
public final class BoundedLoader<K, V> {
    private final ReadThrough<K, V> loader;
    private final ChangeWriter<K, V> writer;
    private final LoaderCalls calls;
    private final LoadObserver observer;
    private final ReadPolicy policy;
    private final Ticker ticker;

    /** @param policy learns how long loads take */
    public BoundedLoader(
            ReadThrough<K, V> loader,
            ChangeWriter<K, V> writer,
            LoaderCalls calls,
            LoadObserver observer,
            ReadPolicy policy,
            Ticker ticker) {
        this.loader = loader;
        this.writer = writer;
        this.calls = calls;
        this.observer = observer;
        this.policy = policy;
        this.ticker = ticker;
    }

    /** Returns whether there is a loader. */
    boolean hasLoader() {
        return loader.hasLoader();
    }

    /** Loads a value; null if there is none. */
    @Nullable
    Loaded<V> load(K key, LoadCause cause) {
        return call(Set.of(key), cause, () -> Optional.ofNullable(loader.load(key)))
                .orElse(null);
    }

    /** Loads values; keys without one are left out. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return call(Set.copyOf(keys), cause, () -> loader.loadAll(keys));
    }

    private <T> T call(Set<K> keys, LoadCause cause, Supplier<T> call) {
        writer.awaitChanges(keys);
        LoadObserver.Loading loading = observer.begin(cause);
        long start = ticker.nanos();
        boolean isLoaded = false;
        boolean isBegun = true;
        try {
            T answer = cause == LoadCause.MISSING_PARTITION ? calls.callBounded(keys, call) : calls.call(keys, call);
            isLoaded = true;
            return answer;
        } catch (CacheOverloadedException e) {
            isBegun = false; // what the loader throws comes as a CacheLoaderException
            throw e;
        } finally {
            note(keys, cause, isBegun, isLoaded, ticker.nanos() - start);
            if (isBegun) {
                loading.end(isLoaded);
            }
        }
    }

    private void note(Set<K> keys, LoadCause cause, boolean isBegun, boolean isLoaded, long nanos) {
        if (isBegun) {
            observer.onLoad(cause, isLoaded, nanos);
        } else {
            observer.onRejected(cause);
        }
        if (isLoaded && keys.size() == 1) {
            policy.loadTook(nanos);
        }
    }

    /**
     * Refuses a load that would never end, before anybody waits for it.
     *
     * @throws javax.cache.integration.CacheLoaderException if this thread is within the loader of this entry
     */
    void checkNotWithin(K key) {
        calls.checkNotWithin(key);
    }

    /** Begins the scope of a load, for what may run listeners and expiry policies while others wait for the load. */
    CallScope enter(Set<K> keys) {
        return calls.enter(keys);
    }

    /** Begins a load that nobody waits for; returns whether there was a thread for it. */
    boolean inBackground(Runnable load) {
        boolean isBegun = calls.inBackground(load);
        if (!isBegun) {
            observer.onRejected(LoadCause.REFRESH);
        }
        return isBegun;
    }

    /** A stale value was served. */
    void onStale(LoadCause cause) {
        observer.onStale(cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.time.Ticker;
import io.keyslot.client.writing.ChangeWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only way to the application's loader. A change of the entry that has reached the cache is known to the loader before
 * it is asked. Safe for use by several threads.
 */
public final class LoaderDoor<K, V> {
    private final ReadThrough<K, V> loader;
    private final ChangeWriter<K, V> writer;
    private final BoundedCalls bounded;
    private final ReadPolicy policy;
    private final Ticker ticker;

    public LoaderDoor(
            ReadThrough<K, V> loader,
            ChangeWriter<K, V> writer,
            BoundedCalls bounded,
            ReadPolicy policy,
            Ticker ticker) {
        this.loader = loader;
        this.writer = writer;
        this.bounded = bounded;
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
        long start = ticker.nanos();
        Optional<Loaded<V>> loaded = call(Set.of(key), cause, () -> Optional.ofNullable(loader.load(key)));
        policy.loadTook(ticker.nanos() - start);
        return loaded.orElse(null);
    }

    /** Loads values; keys without one are left out. */
    Map<K, Loaded<V>> loadAll(Set<K> keys, LoadCause cause) {
        return call(Set.copyOf(keys), cause, () -> loader.loadAll(keys));
    }

    private <T> T call(Set<K> keys, LoadCause cause, Supplier<T> call) {
        writer.awaitChanges(keys);
        return bounded.call(keys, cause, call);
    }

    /**
     * Refuses a load that would never end, before anybody waits for it.
     *
     * @throws javax.cache.integration.CacheLoaderException if this thread is within the loader of this entry
     */
    void checkNotWithin(K key) {
        bounded.calls().checkNotWithin(key);
    }

    /** Begins a load that nobody waits for; returns whether there was a thread for it. */
    boolean inBackground(Runnable load) {
        return bounded.calls().inBackground(load);
    }

    /** A stale value was served. */
    void onStale(LoadCause cause) {
        bounded.observer().onStale(cause);
    }

    /** A load was not begun. */
    void onRejected(LoadCause cause) {
        bounded.observer().onRejected(cause);
    }
}

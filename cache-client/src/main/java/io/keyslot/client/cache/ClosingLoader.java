// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.concurrent.Waiter;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * The application's loader until it is closed. {@link #close} rejects new loads and waits for those that run on other
 * threads. Thread-safe.
 */
public final class ClosingLoader<K, V> implements CacheLoader<K, V>, Closeable {
    /** A loader that takes longer is closed while it runs. */
    static final Duration LONGEST_LAST_LOAD = Duration.ofSeconds(2);

    private final String cacheName;
    private final CacheLoader<K, V> loader;
    private final Waiter waiter;
    private final CompletableFuture<Boolean> lastEnded = new CompletableFuture<>();

    // Guarded by this.
    private int running;
    private boolean closed;

    public ClosingLoader(String cacheName, CacheLoader<K, V> loader, Waiter waiter) {
        this.cacheName = cacheName;
        this.loader = loader;
        this.waiter = waiter;
    }

    @Override
    @SuppressWarnings("NullAway") // a loader returns null for no value
    public @Nullable V load(K key) {
        return call(() -> loader.load(key));
    }

    @Override
    public Map<K, V> loadAll(Iterable<? extends K> keys) {
        return call(() -> loader.loadAll(keys));
    }

    private <T> T call(Supplier<T> load) {
        begin();
        try {
            return load.get();
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        if (closed) {
            throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
        }
        running++;
    }

    private synchronized void end() {
        running--;
        completeIfLast();
    }

    private synchronized void refuseMore() {
        closed = true;
        completeIfLast();
    }

    private void completeIfLast() {
        if (closed && running == 0) {
            lastEnded.complete(true);
        }
    }

    @Override
    public void close() throws IOException {
        refuseMore();
        if (!LoaderCalls.isInLoader()) { // it would wait for itself
            waiter.awaitClose(lastEnded, LONGEST_LAST_LOAD, () -> false);
        }
        if (loader instanceof Closeable closeable) {
            closeable.close();
        }
    }
}

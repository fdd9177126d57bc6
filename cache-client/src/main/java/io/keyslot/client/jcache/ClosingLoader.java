// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/**
 * The application's loader until it is closed. {@link #close} rejects new loads and waits for those that run on other
 * threads. Thread-safe.
 */
final class ClosingLoader<K, V> implements CacheLoader<K, V>, Closeable {
    /** A loader that takes longer is closed while it runs. */
    private static final Duration LONGEST_LAST_LOAD = Duration.ofSeconds(2);

    private final String cacheName;
    private final CacheLoader<K, V> loader;
    private final Waiter waiter;
    private final Ticker ticker;
    /** Loads hold the read lock. */
    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock();

    private volatile boolean closed;

    ClosingLoader(String cacheName, CacheLoader<K, V> loader, Waiter waiter, Ticker ticker) {
        this.cacheName = cacheName;
        this.loader = loader;
        this.waiter = waiter;
        this.ticker = ticker;
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
        boolean isEntered = running.readLock().tryLock(); // it fails only while the loader is being closed
        try {
            if (closed || !isEntered) {
                throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
            }
            return load.get();
        } finally {
            if (isEntered) {
                running.readLock().unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        // Within a loader, this would wait for itself.
        if (!LoaderCalls.isInLoader()
                && waiter.awaitTurn(running.writeLock(), Deadline.after(ticker, LONGEST_LAST_LOAD))) {
            running.writeLock().unlock();
        }
        if (loader instanceof Closeable closeable) {
            closeable.close();
        }
    }
}

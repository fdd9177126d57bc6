// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.CacheException;
import javax.cache.configuration.Factory;

/** The state of a cache, open or closed, and the objects to close with it. Thread-safe. */
final class CacheLifecycle {
    private final String cacheName;
    private final List<Closeable> customisations = new CopyOnWriteArrayList<>();
    private final CacheTelemetry telemetry;
    private final CacheBeans beans;
    private final AtomicBoolean closed = new AtomicBoolean();

    CacheLifecycle(String cacheName, CacheTelemetry telemetry, CacheBeans beans) {
        this.cacheName = cacheName;
        this.telemetry = telemetry;
        this.beans = beans;
    }

    /** Creates a loader, writer or expiry policy that is closed with the cache if it is {@link Closeable}. */
    <T> T create(Factory<? extends T> factory) {
        T customisation = factory.create();
        if (customisation instanceof Closeable closeable) {
            customisations.add(closeable);
        }
        return customisation;
    }

    void add(Closeable subscription) {
        customisations.add(subscription);
    }

    boolean isClosed() {
        return closed.get();
    }

    void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
        }
    }

    /** Marks the cache as closed; returns whether it was open. */
    boolean end() {
        return closed.compareAndSet(false, true);
    }

    void release(EventDispatcher<?, ?> events) {
        List<Closeable> closeables = new ArrayList<>(events.removeAll());
        closeables.addAll(customisations);
        Closing.all(List.of(telemetry::close, beans::close, () -> closeAll(closeables)));
    }

    void closeAll(List<Closeable> closeables) {
        CacheException failure = null;
        for (Closeable closeable : closeables) {
            try {
                closeable.close();
            } catch (IOException | RuntimeException e) {
                if (failure == null) {
                    failure = new CacheException(
                            "Cache %s: closing a loader, writer, listener or policy failed".formatted(cacheName), e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    void showBeans(PartitionedConfiguration<?, ?> configuration, CacheCounters counters) {
        beans.show(configuration, counters);
    }
}

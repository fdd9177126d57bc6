// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedConfiguration;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.CacheException;

/** Whether a cache is open, and what has to be closed with it. Safe for use by several threads. */
final class CacheLifecycle {
    private final String cacheName;
    private final List<Object> customisations;
    private final CacheBeans beans;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the state of an open cache.
     *
     * @param customisations loader, writer and expiry policy: closed with the cache if they are {@link Closeable}
     */
    CacheLifecycle(String cacheName, List<Object> customisations, CacheBeans beans) {
        this.cacheName = cacheName;
        this.customisations = List.copyOf(customisations);
        this.beans = beans;
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Throws {@code IllegalStateException} if the cache is closed. */
    void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("Cache %s is closed".formatted(cacheName));
        }
    }

    CacheBeans beans() {
        return beans;
    }

    /** Closes; collects the failures of everything that has to be closed. Does nothing the second time. */
    void close(EventDispatcher<?, ?> events) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        beans.close();
        List<Closeable> closeables = new ArrayList<>(events.removeAll());
        for (Object customisation : customisations) {
            if (customisation instanceof Closeable closeable) {
                closeables.add(closeable);
            }
        }
        closeAll(closeables);
    }

    /** Closes what can be closed; the first failure carries the others. */
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

    /** Shows the MXBeans as the configuration says. */
    void showBeans(PartitionedConfiguration<?, ?> configuration, CacheCounters counters) {
        beans.showStatistics(configuration.isStatisticsEnabled(), new StatisticsBean(counters));
        beans.showConfiguration(configuration.isManagementEnabled(), new ConfigurationBean(configuration));
    }
}

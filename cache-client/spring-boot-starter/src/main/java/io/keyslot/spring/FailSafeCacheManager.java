// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedConfiguration;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCache;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The caches of a JCache manager of Keyslot for Spring's cache abstraction: failures of a cache never fail a call.
 * Caches without configuration are created on demand, unless {@code spring.cache.cache-names} lists the caches. Safe
 * for use by several threads.
 */
public final class FailSafeCacheManager implements CacheManager, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FailSafeCacheManager.class);
    private static final String THREADS = "keyslot-spring-";

    /** The most asynchronous calls that wait for a cache or hold a lease; further ones bypass the cache. */
    private static final int MOST_THREADS = 64;

    private static final int MOST_VIRTUAL_THREADS = 10_000;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private final javax.cache.CacheManager manager;
    private final Set<String> names;
    private final @Nullable EntryLifetime lifetime;
    private final ExecutorService executor;
    private final ConcurrentMap<String, FailSafeCache> caches = new ConcurrentHashMap<>();

    FailSafeCacheManager(
            javax.cache.CacheManager manager,
            String[] names,
            @Nullable EntryLifetime lifetime,
            Environment environment) {
        this.manager = manager;
        this.names = Set.of(names);
        this.lifetime = lifetime;
        boolean isVirtual = environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
        this.executor = new ThreadPoolExecutor(
                0,
                isVirtual ? MOST_VIRTUAL_THREADS : MOST_THREADS,
                30,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                isVirtual ? new VirtualThreadTaskExecutor(THREADS).getVirtualThreadFactory() : daemons());
    }

    private static ThreadFactory daemons() {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(THREADS);
        threads.setDaemon(true);
        return threads;
    }

    /** Returns a cache, or an empty one if the JCache manager is closed, so that later calls still work. */
    @Override
    public @Nullable Cache getCache(String name) {
        try {
            return manager.isClosed() ? new NoOpCache(name) : openCache(name);
        } catch (IllegalStateException e) {
            if (manager.isClosed()) {
                return new NoOpCache(name); // closed meanwhile
            }
            throw e;
        }
    }

    private @Nullable Cache openCache(String name) {
        FailSafeCache known = caches.get(name);
        if (known != null && !known.isClosed()) {
            return known;
        }
        javax.cache.Cache<Object, Object> cache = find(name);
        return cache == null
                ? null
                : caches.compute(
                        name,
                        (same, present) -> present == null || present.isClosed()
                                ? new FailSafeCache(cache, lifetime, executor)
                                : present);
    }

    private javax.cache.@Nullable Cache<Object, Object> find(String name) {
        javax.cache.Cache<Object, Object> configured = manager.getCache(name);
        if (configured != null) {
            return configured;
        }
        return names.isEmpty() || names.contains(name) ? created(name) : null;
    }

    private javax.cache.Cache<Object, Object> created(String name) {
        try {
            javax.cache.Cache<Object, Object> cache = manager.createCache(name, new PartitionedConfiguration<>());
            LOG.info("Cache {} was made: nothing is configured for it, and its entries do not expire", name);
            return cache;
        } catch (CacheException e) {
            javax.cache.Cache<Object, Object> ofOthers = manager.getCache(name); // another thread was faster
            if (ofOthers == null) {
                throw e;
            }
            return ofOthers;
        }
    }

    @Override
    public Collection<String> getCacheNames() {
        Set<String> all = new TreeSet<>(names);
        manager.getCacheNames().forEach(all::add);
        return Collections.unmodifiableSet(all);
    }

    /** Ends the threads of this manager. The JCache manager keeps its caches. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The loaders, writers, listeners and policies that an application hands in: made once, and closed. */
public abstract class CustomisationConformance extends JCacheConformance {
    @Test
    void close_closesTheCustomisations() {
        List<String> closed = new ArrayList<>();
        create(customised(closed)).close();
        assertThat(closed).containsExactlyInAnyOrder("loader", "writer", "listener", "policy");
    }

    @Test
    void destroy_closesTheCustomisationsBeforeItReturns() {
        List<String> closed = new ArrayList<>();
        create(customised(closed));
        manager.destroyCache(NAME);
        assertThat(closed).containsExactlyInAnyOrder("loader", "writer", "listener", "policy");
    }

    @Test
    void customisationThatFailsToClose_doesNotKeepTheOthersOpen() {
        List<String> closed = new ArrayList<>();
        Cache<String, String> cache = create(customised(closed).setCacheLoaderFactory(() -> new ClosingLoader(closed) {
            @Override
            public void close() {
                throw new IllegalStateException("of the loader");
            }
        }));
        try {
            cache.close();
        } catch (CacheException e) {
            assertThat(e).hasMessageContaining(NAME);
        }
        assertThat(cache.isClosed()).isTrue();
        assertThat(closed).containsExactlyInAnyOrder("writer", "listener", "policy");
    }

    /** What nobody waits for loads on another thread, and is there or not when the cache is closed. */
    @Test
    void loader_isNotCalledAnyMoreWhenItIsClosed() {
        for (int round = 0; round < 25; round++) {
            LoaderThatKnows loader = new LoaderThatKnows();
            Cache<String, String> cache = create(strings().setCacheLoaderFactory(() -> loader));
            cache.loadAll(Set.of("a", "b"), true, null);
            LockSupport.parkNanos(round * 20_000L); // somewhere before, within or behind the load
            manager.destroyCache(NAME);
            assertThat(loader.calledClosed).as("round %s", round).isFalse();
        }
    }

    private static final class LoaderThatKnows implements CacheLoader<String, String>, Closeable {
        private volatile boolean closed;
        volatile boolean calledClosed;

        @Override
        public String load(String key) {
            calledClosed |= closed;
            LockSupport.parkNanos(20_000);
            calledClosed |= closed;
            return key;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            Map<String, String> loaded = new HashMap<>();
            keys.forEach(key -> loaded.put(key, load(key)));
            return loaded;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void deregisteredListener_isClosed() {
        List<String> closed = new ArrayList<>();
        Cache<String, String> cache = createStrings();
        var registration = new MutableCacheEntryListenerConfiguration<String, String>(
                () -> new ClosingListener(closed), null, false, true);
        cache.registerCacheEntryListener(registration);
        cache.deregisterCacheEntryListener(registration);
        assertThat(closed).containsExactly("listener");
    }

    @Test
    void failureOfAFactory_leavesNoCacheBehind() {
        assertThatThrownBy(() -> create(strings().setCacheLoaderFactory(() -> {
                    throw new IllegalStateException("of the factory");
                })))
                .isInstanceOf(RuntimeException.class);
        assertThat(manager.getCacheNames()).isEmpty();
        assertThat(createStrings()).isEmpty();
    }

    @Test
    void listenerFactoryIsCalledOnce() {
        List<String> created = new ArrayList<>();
        Cache<String, String> cache = create(strings()
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        () -> {
                            created.add("listener");
                            return new ClosingListener(new ArrayList<>());
                        },
                        null,
                        false,
                        true)));
        cache.put("a", "v");
        cache.put("b", "v");
        assertThat(created).hasSize(1);
    }

    private static MutableConfiguration<String, String> customised(List<String> closed) {
        return strings()
                .setReadThrough(true)
                .setWriteThrough(true)
                .setCacheLoaderFactory(() -> new ClosingLoader(closed))
                .setCacheWriterFactory(() -> new ClosingWriter(closed))
                .setExpiryPolicyFactory(() -> new ClosingPolicy(closed))
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        () -> new ClosingListener(closed), null, false, true));
    }

    private static class ClosingLoader implements CacheLoader<String, String>, Closeable {
        private final List<String> closed;

        ClosingLoader(List<String> closed) {
            this.closed = closed;
        }

        @Override
        public @Nullable String load(String key) {
            return null;
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            return Map.of();
        }

        @Override
        public void close() {
            closed.add("loader");
        }
    }

    private record ClosingWriter(List<String> closed) implements CacheWriter<String, String>, Closeable {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {}

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
            entries.clear();
        }

        @Override
        public void delete(Object key) {}

        @Override
        public void deleteAll(Collection<?> keys) {
            keys.clear();
        }

        @Override
        public void close() {
            closed.add("writer");
        }
    }

    private record ClosingListener(List<String> closed)
            implements CacheEntryCreatedListener<String, String>, Closeable {
        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}

        @Override
        public void close() {
            closed.add("listener");
        }
    }

    private record ClosingPolicy(List<String> closed) implements ExpiryPolicy, Closeable {
        @Override
        public Duration getExpiryForCreation() {
            return Duration.ETERNAL;
        }

        @Override
        public @Nullable Duration getExpiryForAccess() {
            return null;
        }

        @Override
        public @Nullable Duration getExpiryForUpdate() {
            return null;
        }

        @Override
        public void close() {
            closed.add("policy");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.ErasureReport;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.client.Client;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.group.GroupAssembly;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.routing.Layout;
import io.keyslot.slot.SlotMap;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.cache.CacheException;
import javax.cache.configuration.Configuration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * The caches of one configuration. A cache that the configuration names exists from the start, and is created when it
 * is first requested. Thread-safe.
 */
final class KeyslotCacheManager implements PartitionedCacheManager {
    private final KeyslotCachingProvider provider;
    private final URI uri;
    private final ClassLoader classLoader;
    private final Properties properties;
    private final Client client;
    private final ConfigurationMerge merge;
    private final GroupAssembly groups;

    private final Map<String, KeyslotCache<?, ?>> caches = new LinkedHashMap<>(); // guarded by itself
    private final Set<String> destroyed = new HashSet<>(); // configured caches, guarded by caches
    /** Closed caches with remaining entries, as a missing partition keeps its entries; guarded by caches. */
    private final Map<String, KeyslotCache<?, ?>> destructions = new HashMap<>();

    private volatile boolean closed; // written under the lock of caches

    KeyslotCacheManager(
            KeyslotCachingProvider provider, URI uri, ClassLoader classLoader, Properties properties, Client client) {
        this.provider = provider;
        this.uri = uri;
        this.classLoader = classLoader;
        this.properties = new Properties();
        this.properties.putAll(properties);
        this.client = client;
        this.merge = new ConfigurationMerge(client.options(), classLoader);
        this.groups = new GroupAssembly(client, classLoader, new CachesOfGroups(this));
    }

    @Override
    public CachingProvider getCachingProvider() {
        return provider;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public ClassLoader getClassLoader() {
        return classLoader;
    }

    @Override
    public Properties getProperties() {
        Properties copy = new Properties();
        copy.putAll(properties);
        return copy;
    }

    Client client() {
        return client;
    }

    @Override
    public SlotMap slotMap() {
        return client.router().slotMap();
    }

    @Override
    public List<PartitionStatus> partitions() {
        return client.router().statuses();
    }

    @Override
    public <K, V, C extends Configuration<K, V>> PartitionedCache<K, V> createCache(String name, C configuration) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(configuration, "configuration");
        finishDestruction(name);
        synchronized (caches) {
            checkOpen();
            if (destructions.containsKey(name)) {
                throw new CacheException("Cache %s is being destroyed; create it when that is done".formatted(name));
            }
            if (caches.containsKey(name)) {
                throw new CacheException("Cache %s exists already; use getCache, or destroy it first".formatted(name));
            }
            return open(name, configuration).face();
        }
    }

    private <K, V> KeyslotCache<K, V> open(String name, Configuration<K, V> configuration) {
        KeyslotCache<K, V> cache = CacheAssembly.open(this, merge, name, configuration, List.copyOf(caches.values()));
        caches.put(name, cache);
        destroyed.remove(name);
        return cache;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // JSR-107: null if there is no such cache
    public <K, V> PartitionedCache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(valueType, "valueType");
        KeyslotCache<?, ?> cache = find(name);
        if (cache == null) {
            return null;
        }
        checkType(name, "keys", keyType, cache.keyType());
        checkType(name, "values", valueType, cache.valueType());
        return (PartitionedCache<K, V>) cache.face();
    }

    private static void checkType(String name, String what, Class<?> asked, Class<?> configured) {
        if (!asked.equals(configured)) {
            String setting = what.equals("keys") ? "keyType" : "valueType";
            throw new ClassCastException(
                    configured.equals(Object.class)
                            ? "Cache %s: its %s may be of any type; set %s: %s for it, or ask for it by getCache(name)"
                                    .formatted(name, what, setting, asked.getName())
                            : "Cache %s: its %s are of %s (%s), not of %s"
                                    .formatted(name, what, configured.getName(), setting, asked.getName()));
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // JSR-107: null if there is no such cache
    public <K, V> PartitionedCache<K, V> getCache(String name) {
        KeyslotCache<?, ?> cache = find(Objects.requireNonNull(name, "name"));
        return cache == null ? null : (PartitionedCache<K, V>) cache.face();
    }

    private @Nullable KeyslotCache<?, ?> find(String name) {
        synchronized (caches) {
            checkOpen();
            KeyslotCache<?, ?> present = caches.get(name);
            if (present != null || !isConfigured(name)) {
                return present;
            }
            return open(name, new PartitionedConfiguration<Object, Object>());
        }
    }

    private boolean isConfigured(String name) {
        return client.options().caches().containsKey(name) && !destroyed.contains(name);
    }

    @Override
    public Iterable<String> getCacheNames() {
        synchronized (caches) {
            checkOpen();
            Set<String> names = new TreeSet<>(caches.keySet());
            client.options().caches().keySet().stream()
                    .filter(this::isConfigured)
                    .forEach(names::add);
            return Collections.unmodifiableSet(names);
        }
    }

    /**
     * Removes a cache with all its entries, for all processes. If that fails, the cache is closed, but entries may be
     * left: then another call of this method or {@link #createCache} tries again. Until one succeeds, no cache has this
     * name.
     */
    @Override
    public void destroyCache(String name) {
        Objects.requireNonNull(name, "name");
        KeyslotCache<?, ?> cache;
        synchronized (caches) {
            cache = destructions.get(name);
            KeyslotCache<?, ?> open = cache == null ? find(name) : null;
            if (open != null) {
                cache = open;
                destructions.put(name, cache);
                if (client.options().caches().containsKey(name)) {
                    destroyed.add(name);
                }
            }
            checkOpen();
        }
        if (cache != null) {
            destroy(name, cache);
        }
    }

    /** Closes a cache and removes its entries, unless that was done; throws if this fails. One thread waits for another. */
    private void destroy(String name, KeyslotCache<?, ?> cache) {
        synchronized (cache) {
            if (isBeingDestroyed(name, cache)) {
                // Close first: a value that is stored after the removal would be served by the next cache of this name.
                Closing.all(List.of(cache::close, () -> removeEntries(name, cache)));
            }
        }
    }

    private boolean isBeingDestroyed(String name, KeyslotCache<?, ?> cache) {
        synchronized (caches) {
            return destructions.get(name) == cache;
        }
    }

    private void removeEntries(String name, KeyslotCache<?, ?> cache) {
        cache.removeRemains();
        synchronized (caches) {
            destructions.remove(name);
        }
    }

    /** Removes entries that a destroyed cache of this name has left, so that a new cache does not serve them. */
    private void finishDestruction(String name) {
        KeyslotCache<?, ?> cache;
        synchronized (caches) {
            checkOpen();
            cache = destructions.get(name);
        }
        if (cache != null) {
            try {
                destroy(name, cache);
            } catch (CacheException e) {
                throw new CacheException(
                        "Cache %s was destroyed, and not all of its entries are removed yet; try again".formatted(name),
                        e);
            }
        }
    }

    @Override
    public void enableManagement(String name, boolean enabled) {
        existing(name).enableManagement(enabled);
    }

    @Override
    public void enableStatistics(String name, boolean enabled) {
        existing(name).enableStatistics(enabled);
    }

    private KeyslotCache<?, ?> existing(String name) {
        KeyslotCache<?, ?> open = find(Objects.requireNonNull(name, "name"));
        if (open == null) {
            throw new CacheException("Cache %s does not exist; create it first".formatted(name));
        }
        return open;
    }

    void forget(KeyslotCache<?, ?> cache) {
        synchronized (caches) {
            caches.computeIfPresent(cache.getName(), (name, open) -> open == cache ? null : open);
        }
    }

    @Override
    public void close() {
        List<KeyslotCache<?, ?>> open;
        synchronized (caches) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(caches.values());
            caches.clear();
        }
        provider.forget(this);
        List<Runnable> closing = new ArrayList<>();
        open.forEach(cache -> closing.add(cache::beginClose)); // in parallel
        open.forEach(cache -> closing.add(cache::close));
        closing.add(groups::close);
        closing.add(client::close);
        Closing.all(closing);
    }

    /**
     * Does not lock: the provider calls this under its own lock, and while a cache is created under the lock of the
     * caches, a factory of the application may request a manager from the provider.
     */
    @Override
    public boolean isClosed() {
        return closed;
    }

    GroupAssembly groups() {
        return groups;
    }

    Optional<KeyslotCache<?, ?>> openCacheOf(String entityType) {
        synchronized (caches) {
            return caches.values().stream()
                    .filter(cache -> cache.entityType().equals(entityType))
                    .findFirst();
        }
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The cache manager %s is closed".formatted(uri));
        }
    }

    /** Returns this manager, or for operators and tests its layout or embedded partitions. */
    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.equals(Layout.class)) {
            return type.cast(client.router().layout());
        }
        return client.embedded()
                .filter(partitions -> type.equals(EmbeddedPartitions.class))
                .map(type::cast)
                .orElseGet(() -> Unwrap.as(this, type));
    }

    @Override
    public CacheGroup group(EntityKey root) {
        return groups.of(Objects.requireNonNull(root, "root"));
    }

    @Override
    public ErasureReport erase(EntityKey key) {
        Objects.requireNonNull(key, "key");
        List<KeyslotCache<?, ?>> open;
        synchronized (caches) {
            checkOpen();
            open = List.copyOf(caches.values());
        }
        return new Erasure(this, key, open).run();
    }

    @Override
    public <E> PartitionedQueue<E> queue(String name, Class<E> type) {
        return groups.queue(Objects.requireNonNull(name, "name"), Objects.requireNonNull(type, "type"));
    }

    @Override
    public String toString() {
        return "cache manager %s%s".formatted(uri, closed ? ", closed" : "");
    }
}

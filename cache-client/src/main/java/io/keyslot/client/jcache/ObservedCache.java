// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.client.cache.CacheIterator;
import io.keyslot.client.concurrent.CallerContext;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.telemetry.Telemetry;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cache with observed calls. Accessors of the cache's own properties are not observed. */
final class ObservedCache<K, V> implements PartitionedCache<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedCache.class);

    private final PartitionedCache<K, V> cache;
    private final CacheTelemetry calls;
    private final Telemetry client;

    private ObservedCache(PartitionedCache<K, V> cache, CacheTelemetry calls, Telemetry client) {
        this.cache = cache;
        this.calls = calls;
        this.client = client;
    }

    /** Returns the cache with observed calls, or itself if calls are not observed. */
    static <K, V> PartitionedCache<K, V> around(PartitionedCache<K, V> cache, CacheTelemetry calls, Telemetry client) {
        return calls.observesCalls() ? new ObservedCache<>(cache, calls, client) : cache;
    }

    static <K, V> PartitionedCache<K, V> within(PartitionedCache<K, V> cache) {
        return cache instanceof ObservedCache<K, V> observed ? observed.cache : cache;
    }

    @Override
    public String getName() {
        return cache.getName();
    }

    @Override
    public PartitionedCacheManager getCacheManager() {
        return cache.getCacheManager();
    }

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        return cache.getConfiguration(type);
    }

    @Override
    public EntryExplanation explain(K key) {
        return calls.call("explain", key, () -> cache.explain(key));
    }

    @Override
    public CacheGroup group(K key) {
        return client.around(cache.group(key));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V get(K key) {
        return calls.call("get", key, () -> cache.get(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        return calls.call("getAll", null, () -> cache.getAll(keys));
    }

    @Override
    public boolean containsKey(K key) {
        return calls.call("containsKey", key, () -> cache.containsKey(key));
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        LoadAllEnd end = new LoadAllEnd(cache.getName(), listener);
        CompletionStage<@Nullable Void> unused = calls.callLater("loadAll", null, () -> {
            cache.loadAll(keys, replaceExisting, end);
            return end.future;
        });
    }

    @Override
    public void put(K key, V value) {
        calls.run("put", key, () -> cache.put(key, value));
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        calls.run("put", key, () -> cache.put(key, value, timeToLive));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        calls.run("putAll", null, () -> cache.putAll(map));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        calls.run("putAll", null, () -> cache.putAll(map, timeToLive));
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return calls.call("putIfAbsent", key, () -> cache.putIfAbsent(key, value));
    }

    @Override
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        return calls.call("putIfAbsent", key, () -> cache.putIfAbsent(key, value, timeToLive));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndPut(K key, V value) {
        return calls.call("getAndPut", key, () -> cache.getAndPut(key, value));
    }

    @Override
    public boolean replace(K key, V value) {
        return calls.call("replace", key, () -> cache.replace(key, value));
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return calls.call("replace", key, () -> cache.replace(key, oldValue, newValue));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndReplace(K key, V value) {
        return calls.call("getAndReplace", key, () -> cache.getAndReplace(key, value));
    }

    @Override
    public boolean remove(K key) {
        return calls.call("remove", key, () -> cache.remove(key));
    }

    @Override
    public boolean remove(K key, V oldValue) {
        return calls.call("remove", key, () -> cache.remove(key, oldValue));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndRemove(K key) {
        return calls.call("getAndRemove", key, () -> cache.getAndRemove(key));
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        calls.run("removeAll", null, () -> cache.removeAll(keys));
    }

    @Override
    public void removeAll() {
        calls.run("removeAll", null, () -> cache.removeAll());
    }

    @Override
    public void clear() {
        calls.run("clear", null, () -> cache.clear());
    }

    @Override
    @SuppressWarnings("NullAway") // a processor may return null
    public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) throws EntryProcessorException {
        return calls.call("invoke", key, () -> cache.invoke(key, processor, arguments));
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        return calls.call("invokeAll", null, () -> cache.invokeAll(keys, processor, arguments));
    }

    @Override
    public <T extends @Nullable Object> T invokeGroup(K key, GroupProcessor<T> processor, Object... arguments) {
        return calls.call("invokeGroup", key, () -> cache.invokeGroup(key, client.around(processor), arguments));
    }

    @Override
    public ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        return calls.call("scan", null, () -> cache.scan(filter, limit, order, options));
    }

    @Override
    public boolean flushWrites(Duration atMost) {
        return calls.call("flushWrites", null, () -> cache.flushWrites(atMost));
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        return calls.callLater("get", key, () -> cache.getAsync(key));
    }

    @Override
    public CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys) {
        return calls.callLater("getAll", null, () -> cache.getAllAsync(keys));
    }

    @Override
    public CompletionStage<Boolean> containsKeyAsync(K key) {
        return calls.callLater("containsKey", key, () -> cache.containsKeyAsync(key));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value) {
        return calls.callLater("put", key, () -> cache.putAsync(key, value));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive) {
        return calls.callLater("put", key, () -> cache.putAsync(key, value, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
        return calls.callLater("putAll", null, () -> cache.putAllAsync(map));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive) {
        return calls.callLater("putAll", null, () -> cache.putAllAsync(map, timeToLive));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value) {
        return calls.callLater("putIfAbsent", key, () -> cache.putIfAbsentAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        return calls.callLater("putIfAbsent", key, () -> cache.putIfAbsentAsync(key, value, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable V> getAndPutAsync(K key, V value) {
        return calls.callLater("getAndPut", key, () -> cache.getAndPutAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V value) {
        return calls.callLater("replace", key, () -> cache.replaceAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue) {
        return calls.callLater("replace", key, () -> cache.replaceAsync(key, oldValue, newValue));
    }

    @Override
    public CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value) {
        return calls.callLater("getAndReplace", key, () -> cache.getAndReplaceAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key) {
        return calls.callLater("remove", key, () -> cache.removeAsync(key));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key, V oldValue) {
        return calls.callLater("remove", key, () -> cache.removeAsync(key, oldValue));
    }

    @Override
    public CompletionStage<@Nullable V> getAndRemoveAsync(K key) {
        return calls.callLater("getAndRemove", key, () -> cache.getAndRemoveAsync(key));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys) {
        return calls.callLater("removeAll", null, () -> cache.removeAllAsync(keys));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync() {
        return calls.callLater("removeAll", null, () -> cache.removeAllAsync());
    }

    @Override
    public CompletionStage<@Nullable Void> clearAsync() {
        return calls.callLater("clear", null, () -> cache.clearAsync());
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        return calls.callLater("invoke", key, () -> cache.invokeAsync(key, processor, arguments));
    }

    @Override
    public <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        return calls.callLater("invokeAll", null, () -> cache.invokeAllAsync(keys, processor, arguments));
    }

    @Override
    public CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        return calls.callLater("scan", null, () -> cache.scanAsync(filter, limit, order, options));
    }

    @Override
    public Iterator<Cache.Entry<K, V>> iterator() {
        return new ObservedIterator<>(cache.iterator(), calls);
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        cache.registerCacheEntryListener(listener);
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        cache.deregisterCacheEntryListener(listener);
    }

    @Override
    public void close() {
        cache.close();
    }

    @Override
    public boolean isClosed() {
        return cache.isClosed();
    }

    @Override
    @SuppressWarnings("unchecked") // the cache returns calls with its own types
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        T unwrapped = cache.unwrap(type);
        return unwrapped instanceof FailSafeCalls<?, ?> failSafe
                ? type.cast(new ObservedFailSafe<>((FailSafeCalls<K, V>) failSafe, calls, client))
                : unwrapped;
    }

    @Override
    public String toString() {
        return cache.toString();
    }

    /** A listener of {@code loadAll} that completes a future before it calls the application's listener. */
    private static final class LoadAllEnd implements CompletionListener {
        private final String cacheName;
        private final @Nullable CompletionListener listener;
        private final CompletableFuture<@Nullable Void> future = new CompletableFuture<>();

        LoadAllEnd(String cacheName, @Nullable CompletionListener listener) {
            this.cacheName = cacheName;
            this.listener = listener;
        }

        @Override
        public void onCompletion() {
            future.complete(null);
            if (listener != null) {
                listener.onCompletion();
            }
        }

        @Override
        public void onException(Exception failure) {
            future.completeExceptionally(failure);
            if (listener != null) {
                listener.onException(failure);
            } else {
                LOG.warn("Cache {}: loadAll failed, and it has no completion listener", cacheName, failure);
            }
        }
    }

    /**
     * An iterator of a cache. Only steps that read from partitions are calls, not entries that were read ahead; an
     * observation of the whole iteration would not end if the iterator is abandoned. Not thread-safe.
     */
    private static final class ObservedIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
        private final Iterator<Cache.Entry<K, V>> entries;
        private final CacheTelemetry calls;
        private @Nullable K last;

        ObservedIterator(Iterator<Cache.Entry<K, V>> entries, CacheTelemetry calls) {
            this.entries = entries;
            this.calls = calls;
        }

        @Override
        public boolean hasNext() {
            return isAtHand() ? entries.hasNext() : calls.call("iterator", null, entries::hasNext);
        }

        private boolean isAtHand() {
            return entries instanceof CacheIterator<?, ?> iterator && iterator.isAtHand();
        }

        @Override
        public Cache.Entry<K, V> next() {
            boolean unused = hasNext();
            Cache.Entry<K, V> entry = entries.next();
            last = entry.getKey();
            return entry;
        }

        @Override
        public void remove() {
            calls.run("remove", last, entries::remove);
        }
    }

    /** The fail-safe calls of a cache, observed. */
    private record ObservedFailSafe<K, V>(FailSafeCalls<K, V> failSafe, CacheTelemetry calls, CallerContext context)
            implements FailSafeCalls<K, V> {
        @Override
        public @Nullable V get(K key) {
            return calls.call("get", key, () -> failSafe.get(key));
        }

        @Override
        public @Nullable V load(K key, Callable<? extends @Nullable Object> method) throws Exception {
            return calls.call("load", key, () -> failSafe.load(key, method));
        }

        @Override
        public void put(K key, V value) {
            calls.run("put", key, () -> failSafe.put(key, value));
        }

        @Override
        public void put(K key, V value, Duration timeToLive) {
            calls.run("put", key, () -> failSafe.put(key, value, timeToLive));
        }

        @Override
        public @Nullable V putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
            return calls.call("putIfAbsent", key, () -> failSafe.putIfAbsent(key, value, timeToLive));
        }

        @Override
        public boolean remove(K key) {
            return calls.call("remove", key, () -> failSafe.remove(key));
        }

        @Override
        public void clear() {
            calls.run("clear", null, failSafe::clear);
        }

        @Override
        public Executor carrying(Executor executor) {
            return context.carrying(executor);
        }
    }
}

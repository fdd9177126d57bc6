// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.client.entry.FailSafeCalls;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** A cache with observed calls. Accessors of the cache's own properties are not observed. */
final class ObservedCache<K, V> implements PartitionedCache<K, V> {
    private final PartitionedCache<K, V> cache;
    private final CacheObservations observations;
    private final MicrometerObservations client;

    ObservedCache(PartitionedCache<K, V> cache, CacheObservations observations, MicrometerObservations client) {
        this.cache = cache;
        this.observations = observations;
        this.client = client;
    }

    PartitionedCache<K, V> within() {
        return cache;
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
        return observations.now("explain", key, () -> cache.explain(key));
    }

    @Override
    public CacheGroup group(K key) {
        return client.around(cache.group(key));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V get(K key) {
        return observations.now("get", key, () -> cache.get(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        return observations.now("getAll", null, () -> cache.getAll(keys));
    }

    @Override
    public boolean containsKey(K key) {
        return observations.now("containsKey", key, () -> cache.containsKey(key));
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        EndingListener ending = new EndingListener(cache.getName(), listener);
        CompletionStage<@Nullable Void> unused = observations.later("loadAll", null, () -> {
            cache.loadAll(keys, replaceExisting, ending);
            return ending.over();
        });
    }

    @Override
    public void put(K key, V value) {
        observations.run("put", key, () -> cache.put(key, value));
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        observations.run("put", key, () -> cache.put(key, value, timeToLive));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        observations.run("putAll", null, () -> cache.putAll(map));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        observations.run("putAll", null, () -> cache.putAll(map, timeToLive));
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return observations.now("putIfAbsent", key, () -> cache.putIfAbsent(key, value));
    }

    @Override
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        return observations.now("putIfAbsent", key, () -> cache.putIfAbsent(key, value, timeToLive));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndPut(K key, V value) {
        return observations.now("getAndPut", key, () -> cache.getAndPut(key, value));
    }

    @Override
    public boolean replace(K key, V value) {
        return observations.now("replace", key, () -> cache.replace(key, value));
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return observations.now("replace", key, () -> cache.replace(key, oldValue, newValue));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndReplace(K key, V value) {
        return observations.now("getAndReplace", key, () -> cache.getAndReplace(key, value));
    }

    @Override
    public boolean remove(K key) {
        return observations.now("remove", key, () -> cache.remove(key));
    }

    @Override
    public boolean remove(K key, V oldValue) {
        return observations.now("remove", key, () -> cache.remove(key, oldValue));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndRemove(K key) {
        return observations.now("getAndRemove", key, () -> cache.getAndRemove(key));
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        observations.run("removeAll", null, () -> cache.removeAll(keys));
    }

    @Override
    public void removeAll() {
        observations.run("removeAll", null, () -> cache.removeAll());
    }

    @Override
    public void clear() {
        observations.run("clear", null, () -> cache.clear());
    }

    @Override
    @SuppressWarnings("NullAway") // a processor may return null
    public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) throws EntryProcessorException {
        return observations.now("invoke", key, () -> cache.invoke(key, processor, arguments));
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        return observations.now("invokeAll", null, () -> cache.invokeAll(keys, processor, arguments));
    }

    @Override
    public <T extends @Nullable Object> T invokeGroup(K key, GroupProcessor<T> processor, Object... arguments) {
        return observations.now("invokeGroup", key, () -> cache.invokeGroup(key, client.around(processor), arguments));
    }

    @Override
    public ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        return observations.now("scan", null, () -> cache.scan(filter, limit, order, options));
    }

    @Override
    public boolean flushWrites(Duration atMost) {
        return observations.now("flushWrites", null, () -> cache.flushWrites(atMost));
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        return observations.later("get", key, () -> cache.getAsync(key));
    }

    @Override
    public CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys) {
        return observations.later("getAll", null, () -> cache.getAllAsync(keys));
    }

    @Override
    public CompletionStage<Boolean> containsKeyAsync(K key) {
        return observations.later("containsKey", key, () -> cache.containsKeyAsync(key));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value) {
        return observations.later("put", key, () -> cache.putAsync(key, value));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive) {
        return observations.later("put", key, () -> cache.putAsync(key, value, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
        return observations.later("putAll", null, () -> cache.putAllAsync(map));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive) {
        return observations.later("putAll", null, () -> cache.putAllAsync(map, timeToLive));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value) {
        return observations.later("putIfAbsent", key, () -> cache.putIfAbsentAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        return observations.later("putIfAbsent", key, () -> cache.putIfAbsentAsync(key, value, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable V> getAndPutAsync(K key, V value) {
        return observations.later("getAndPut", key, () -> cache.getAndPutAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V value) {
        return observations.later("replace", key, () -> cache.replaceAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue) {
        return observations.later("replace", key, () -> cache.replaceAsync(key, oldValue, newValue));
    }

    @Override
    public CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value) {
        return observations.later("getAndReplace", key, () -> cache.getAndReplaceAsync(key, value));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key) {
        return observations.later("remove", key, () -> cache.removeAsync(key));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key, V oldValue) {
        return observations.later("remove", key, () -> cache.removeAsync(key, oldValue));
    }

    @Override
    public CompletionStage<@Nullable V> getAndRemoveAsync(K key) {
        return observations.later("getAndRemove", key, () -> cache.getAndRemoveAsync(key));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys) {
        return observations.later("removeAll", null, () -> cache.removeAllAsync(keys));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync() {
        return observations.later("removeAll", null, () -> cache.removeAllAsync());
    }

    @Override
    public CompletionStage<@Nullable Void> clearAsync() {
        return observations.later("clear", null, () -> cache.clearAsync());
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        return observations.later("invoke", key, () -> cache.invokeAsync(key, processor, arguments));
    }

    @Override
    public <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        return observations.later("invokeAll", null, () -> cache.invokeAllAsync(keys, processor, arguments));
    }

    @Override
    public CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        return observations.later("scan", null, () -> cache.scanAsync(filter, limit, order, options));
    }

    @Override
    public Iterator<Cache.Entry<K, V>> iterator() {
        return new ObservedIterator<>(cache.iterator(), observations);
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
        return unwrapped instanceof FailSafeCalls<?, ?> calls
                ? type.cast(new ObservedFailSafe<>((FailSafeCalls<K, V>) calls, observations, client))
                : unwrapped;
    }

    @Override
    public String toString() {
        return cache.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.entry.StoredSample;
import io.keyslot.client.group.GroupedCaches.GroupedCache;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache that applications use, directly or behind its observations. It checks its state and the arguments, measures
 * durations, and delegates each operation to its class.
 */
final class KeyslotCache<K, V> extends AsynchronousForms<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(KeyslotCache.class);

    private final CacheAssembly<K, V> parts;
    private final PartitionedConfiguration<K, V> configuration; // guarded by its own lock

    KeyslotCache(CacheAssembly<K, V> parts) {
        super(parts);
        this.parts = parts;
        this.configuration = parts.configuration;
    }

    @Override
    public String getName() {
        return calls.name();
    }

    @Override
    public PartitionedCacheManager getCacheManager() {
        return parts.manager;
    }

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        synchronized (configuration) {
            return Unwrap.as(new PartitionedConfiguration<>(configuration), type);
        }
    }

    @Override
    public EntryExplanation explain(K key) {
        return parts.explaining.explain(check.key(key));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: may be null
    public V get(K key) {
        check.key(key);
        if (!counters.isTimed()) {
            return reads.get(key);
        }
        return timed(() -> reads.get(key), counters::getTook);
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        check.keys(keys);
        return timed(() -> reads.getAll(keys), counters::getTook);
    }

    @Override
    public boolean containsKey(K key) {
        check.key(key);
        return reads.containsKey(key);
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        notifyOf(loadAllAsync(keys, replaceExisting), listener);
    }

    CompletionStage<@Nullable Void> loadAllAsync(Set<? extends K> keys, boolean replaceExisting) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        calls.checkBatch(copy.size());
        List<EncodedKey> unused = calls.encodeAll(copy); // fails for a key that is too long
        return async.run(() -> parts.loads.loadAll(copy, replaceExisting));
    }

    void notifyOf(CompletionStage<@Nullable Void> loads, @Nullable CompletionListener listener) {
        CompletionStage<@Nullable Void> unused = loads.whenComplete((done, failure) -> {
            if (listener == null) {
                if (failure != null) {
                    LOG.warn("Cache {}: loadAll failed, and it has no completion listener", getName(), failure);
                }
            } else if (failure == null) {
                listener.onCompletion();
            } else {
                listener.onException(
                        failure instanceof CacheException known
                                ? known
                                : new CacheException("Cache %s: loadAll failed".formatted(getName()), failure));
            }
        });
    }

    @Override
    public void put(K key, V value) {
        check.entry(key, value);
        timedRun(() -> writes.put(key, value, null), counters::putTook);
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        check.entry(key, value);
        timedRun(() -> writes.put(key, value, timeToLive), counters::putTook);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        check.entries(map);
        timedRun(() -> writes.putAll(map, null), counters::putTook);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        check.entries(map);
        timedRun(() -> writes.putAll(map, timeToLive), counters::putTook);
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        check.entry(key, value);
        return timed(() -> writes.putIfAbsent(key, value, null).now(), counters::putTook);
    }

    @Override
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        check.entry(key, value);
        return timed(() -> writes.putIfAbsent(key, value, timeToLive).now(), counters::putTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: may be null
    public V getAndPut(K key, V value) {
        check.entry(key, value);
        return timed(() -> writes.getAndPut(key, value).now(), counters::putTook);
    }

    @Override
    public boolean replace(K key, V value) {
        check.entry(key, value);
        return timed(() -> writes.replace(key, value).now(), counters::putTook);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        check.entry(key, oldValue);
        check.value(newValue);
        return timed(
                () -> writes.changeIfEqual("replace", key, oldValue, newValue).now(), counters::putTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: may be null
    public V getAndReplace(K key, V value) {
        check.entry(key, value);
        return timed(() -> writes.getAndReplace(key, value).now(), counters::putTook);
    }

    @Override
    public boolean remove(K key) {
        check.key(key);
        return timed(() -> writes.remove(key), counters::removeTook);
    }

    @Override
    public boolean remove(K key, V oldValue) {
        check.entry(key, oldValue);
        return timed(() -> writes.changeIfEqual("remove", key, oldValue, null).now(), counters::removeTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107: may be null
    public V getAndRemove(K key) {
        check.key(key);
        return timed(() -> writes.getAndRemove(key), counters::removeTook);
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        check.keys(keys);
        timedRun(() -> writes.removeAll(keys).now(), counters::removeTook);
    }

    @Override
    public void removeAll() {
        check.open();
        timedRun(() -> writes.removeAll().now(), counters::removeTook);
    }

    @Override
    public void clear() {
        check.open();
        writes.clear().now();
    }

    @Override
    @SuppressWarnings("NullAway") // a processor may return null
    public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) throws EntryProcessorException {
        check.key(key);
        Objects.requireNonNull(processor, "processor");
        return processors
                .invoke("invoke", key, processors.rules(), processor, arguments)
                .now();
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        check.keys(keys);
        Objects.requireNonNull(processor, "processor");
        return processors.invokeAll(keys, processor, arguments);
    }

    @Override
    public Iterator<Cache.Entry<K, V>> iterator() {
        check.open();
        return parts.scans.iterator(this::remove, parts.lifecycle::checkOpen);
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        check.open();
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            parts.publisher.events().register(listener); // first, as this may fail
            configuration.addCacheEntryListenerConfiguration(listener);
        }
        parts.publisher.events().settle();
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        check.open();
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            configuration.removeCacheEntryListenerConfiguration(listener);
            parts.publisher.events().deregister(listener, parts.lifecycle::closeAll);
        }
    }

    @Override
    public boolean flushWrites(Duration atMost) {
        check.open();
        return parts.writer.flush(Objects.requireNonNull(atMost, "atMost"));
    }

    @Override
    public FeedSubscription subscribe(String group, FeedStart start, Consumer<? super FeedBatch<K, V>> handler) {
        check.open();
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(start, "start");
        return parts.subscribe(group, start, Objects.requireNonNull(handler, "handler"));
    }

    @Override
    public ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        CacheScans.Query<K, V> query = new CacheScans.Query<>(filter, limit, order);
        check.open();
        return scans.scan(query, options);
    }

    /** Starts the work that {@link #close} waits for. */
    void beginClose() {
        parts.writer.beginClose();
    }

    /** Gives up the waiting writes of some keys; returns how many, negative if others are being written. */
    int giveUpWrites(Predicate<EncodedKey> keys) {
        return parts.writer.giveUp(keys);
    }

    void dropNear() {
        if (parts.near != null) {
            parts.near.clear();
        }
    }

    /** Removes all entries of a cache that is being destroyed, even if it is closed. */
    void removeRemains() {
        writes.destroy().now();
    }

    @Override
    public void close() {
        if (!parts.lifecycle.end()) {
            return;
        }
        // Forget last, so that meters and MXBeans of another cache of this name are not confused with those of this.
        Closing.all(List.of(
                parts.writer::close,
                () -> {
                    if (parts.near != null) {
                        parts.near.close();
                    }
                },
                () -> parts.lifecycle.release(parts.publisher.events()),
                () -> parts.manager.forget(this)));
    }

    @Override
    public boolean isClosed() {
        return parts.lifecycle.isClosed();
    }

    /** Returns this cache, or for Spring its fail-safe form, or its near counts, or for operators a sample of its entries. */
    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.equals(FailSafeCalls.class)) {
            check.open();
            return type.cast(parts.failSafe);
        }
        if (type.equals(StoredSample.class)) {
            check.open();
            StoredSample sample = parts.scans::decodeSample;
            return type.cast(sample);
        }
        return parts.near != null && type.equals(NearCache.Counts.class)
                ? type.cast(parts.near.counts())
                : Unwrap.as(this, type);
    }

    void enableStatistics(boolean wanted) {
        synchronized (configuration) {
            configuration.setStatisticsEnabled(wanted);
            counters.enable(wanted);
            parts.lifecycle.showBeans(configuration, counters);
        }
    }

    void enableManagement(boolean wanted) {
        synchronized (configuration) {
            configuration.setManagementEnabled(wanted);
            parts.lifecycle.showBeans(configuration, counters);
        }
    }

    GroupedCache<K, V> grouped() {
        check.open();
        return new CachesOfGroups.CacheOfGroups<>(this, check.ofTypes(), parts);
    }

    PartitionedCache<K, V> face() {
        return parts.face();
    }

    String entityType() {
        String own = configuration.getEntityType();
        return own == null ? getName() : own;
    }

    Class<K> keyType() {
        return configuration.getKeyType();
    }

    Class<V> valueType() {
        return configuration.getValueType();
    }

    private <T> T timed(Supplier<T> call, LongConsumer took) {
        long start = calls.ticker().nanos();
        T result = call.get();
        took.accept(calls.ticker().nanos() - start);
        return result;
    }

    private void timedRun(Runnable call, LongConsumer took) {
        long start = calls.ticker().nanos();
        call.run();
        took.accept(calls.ticker().nanos() - start);
    }

    @Override
    public CacheGroup group(K key) {
        check.key(key);
        return parts.manager.groups().of(calls.encode(key));
    }

    @Override
    public String toString() {
        return "cache %s of %s".formatted(getName(), parts.manager);
    }
}

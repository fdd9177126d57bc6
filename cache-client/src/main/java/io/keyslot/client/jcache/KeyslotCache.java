// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.GroupProcessor;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.event.Unwrap;
import io.keyslot.client.group.store.GroupedCache;
import io.keyslot.client.pool.AsyncCalls;
import io.keyslot.client.pool.Closing;
import io.keyslot.client.scan.ScanQuery;
import io.keyslot.client.statistics.CacheCounters;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * The cache that applications hold: checks that it is open and what it is given, measures, and hands each operation to the
 * class that does it.
 */
final class KeyslotCache<K, V> implements PartitionedCache<K, V> {
    private final KeyslotCacheManager manager;
    private final PartitionedConfiguration<K, V> configuration; // its own lock guards what may change
    private final CacheLifecycle lifecycle;
    private final CacheCalls<K> calls;
    private final EntryForms<V> forms;
    private final CacheOperations<K, V> operations;
    private final Arguments<K, V> check;
    private final CacheCounters counters;
    private final AsyncCalls async;

    KeyslotCache(
            KeyslotCacheManager manager,
            PartitionedConfiguration<K, V> configuration,
            CacheLifecycle lifecycle,
            CacheCalls<K> calls,
            EntryForms<V> forms,
            CacheOperations<K, V> operations) {
        this.manager = manager;
        this.configuration = configuration;
        this.lifecycle = lifecycle;
        this.calls = calls;
        this.forms = forms;
        this.operations = operations;
        this.check = new Arguments<>(calls.name(), configuration.getKeyType(), configuration.getValueType());
        this.counters = operations.told().counters();
        this.async = new AsyncCalls(manager.client().pool());
    }

    @Override
    public String getName() {
        return calls.name();
    }

    @Override
    public PartitionedCacheManager getCacheManager() {
        return manager;
    }

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        synchronized (configuration) {
            return Unwrap.as(new PartitionedConfiguration<>(configuration), type);
        }
    }

    @Override
    public EntryExplanation explain(K key) {
        lifecycle.checkOpen();
        return operations.explaining().explain(check.key(key));
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V get(K key) {
        lifecycle.checkOpen();
        check.key(key);
        long start = calls.ticker().nanos();
        V value = operations.reads().get(key);
        counters.getTook(calls.ticker().nanos() - start);
        return value;
    }

    /** As {@link #get}, from the copies of one partition if the cache is replicated. */
    @Nullable
    V getAt(PartitionId partition, K key) {
        lifecycle.checkOpen();
        check.key(key);
        return timed(() -> operations.reads().getAt(partition, key), counters::getTook);
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        lifecycle.checkOpen();
        check.keys(keys);
        return timed(() -> operations.reads().getAll(keys), counters::getTook);
    }

    /** As {@link #getAll}, from the copies of one partition if the cache is replicated. */
    Map<K, V> getAllAt(PartitionId partition, Set<? extends K> keys) {
        lifecycle.checkOpen();
        check.keys(keys);
        return timed(() -> operations.reads().getAllAt(partition, keys), counters::getTook);
    }

    @Override
    public boolean containsKey(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return operations.reads().containsKey(key);
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener listener) {
        lifecycle.checkOpen();
        check.keys(keys);
        operations.loads().loadAll(keys, replaceExisting, listener);
    }

    @Override
    public void put(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        timedRun(() -> operations.writes().put(key, value), counters::putTook);
    }

    @Override
    public void put(K key, V value, Duration timeToLive) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        timedRun(() -> operations.writes().put(key, value, timeToLive), counters::putTook);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        lifecycle.checkOpen();
        check.entries(map);
        timedRun(() -> operations.bulk().putAll(map), counters::putTook);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        lifecycle.checkOpen();
        check.entries(map);
        timedRun(() -> operations.bulk().putAll(map, timeToLive), counters::putTook);
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return timed(() -> operations.writes().putIfAbsent(key, value), counters::putTook);
    }

    @Override
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return timed(() -> operations.writes().putIfAbsent(key, value, timeToLive), counters::putTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndPut(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return timed(() -> operations.writes().getAndPut(key, value), counters::putTook);
    }

    @Override
    public boolean replace(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return timed(() -> operations.writes().replace(key, value), counters::putTook);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(oldValue);
        check.value(newValue);
        return timed(() -> operations.writes().replace(key, oldValue, newValue), counters::putTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndReplace(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return timed(() -> operations.writes().getAndReplace(key, value), counters::putTook);
    }

    @Override
    public boolean remove(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return timed(() -> operations.writes().remove(key), counters::removeTook);
    }

    @Override
    public boolean remove(K key, V oldValue) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(oldValue);
        return timed(() -> operations.writes().remove(key, oldValue), counters::removeTook);
    }

    @Override
    @SuppressWarnings("NullAway") // JSR-107 has null here
    public V getAndRemove(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return timed(() -> operations.writes().getAndRemove(key), counters::removeTook);
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        lifecycle.checkOpen();
        check.keys(keys);
        timedRun(() -> operations.bulk().removeAll(keys), counters::removeTook);
    }

    @Override
    public void removeAll() {
        lifecycle.checkOpen();
        timedRun(operations.clearing()::removeAll, counters::removeTook);
    }

    @Override
    public void clear() {
        lifecycle.checkOpen();
        operations.clearing().clear("clear");
    }

    @Override
    @SuppressWarnings("NullAway") // a processor may return null
    public <T> T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) throws EntryProcessorException {
        lifecycle.checkOpen();
        check.key(key);
        Objects.requireNonNull(processor, "processor");
        return operations.processing().invoke("invoke", key, processor, arguments);
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        lifecycle.checkOpen();
        check.keys(keys);
        Objects.requireNonNull(processor, "processor");
        return operations.bulkProcessing().invokeAll(keys, processor, arguments);
    }

    @Override
    public Iterator<Cache.Entry<K, V>> iterator() {
        lifecycle.checkOpen();
        return operations.scanning().iterator(operations.reads(), this::remove, lifecycle::checkOpen);
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        lifecycle.checkOpen();
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            operations.told().events().register(listener); // the first of the two that may fail
            configuration.addCacheEntryListenerConfiguration(listener);
        }
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        lifecycle.checkOpen();
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            configuration.removeCacheEntryListenerConfiguration(listener);
            operations.told().events().deregister(listener, lifecycle::closeAll);
        }
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return async.call(() -> get(key));
    }

    @Override
    public CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys) {
        lifecycle.checkOpen();
        Set<K> copy = new LinkedHashSet<>(check.keys(keys)); // the caller may go on changing its own
        return async.call(() -> getAll(copy));
    }

    @Override
    public CompletionStage<Boolean> containsKeyAsync(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return async.call(() -> containsKey(key));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return async.run(copyOf(value), taken -> put(key, taken));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return async.run(copyOf(value), taken -> put(key, taken, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
        lifecycle.checkOpen();
        check.entries(map);
        return async.run(copyOf(map), taken -> putAll(taken));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive) {
        lifecycle.checkOpen();
        check.entries(map);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return async.run(copyOf(map), taken -> putAll(taken, timeToLive));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return async.call(copyOf(value), taken -> putIfAbsent(key, taken));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return async.call(copyOf(value), taken -> putIfAbsent(key, taken, timeToLive));
    }

    @Override
    public CompletionStage<@Nullable V> getAndPutAsync(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return async.call(copyOf(value), taken -> getAndPut(key, taken));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return async.call(copyOf(value), taken -> replace(key, taken));
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(oldValue);
        check.value(newValue);
        return async.call(copyOf(newValue), taken -> replace(key, oldValue, taken));
    }

    @Override
    public CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(value);
        return async.call(copyOf(value), taken -> getAndReplace(key, taken));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return async.call(() -> remove(key));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key, V oldValue) {
        lifecycle.checkOpen();
        check.key(key);
        check.value(oldValue);
        return async.call(() -> remove(key, oldValue));
    }

    @Override
    public CompletionStage<@Nullable V> getAndRemoveAsync(K key) {
        lifecycle.checkOpen();
        check.key(key);
        return async.call(() -> getAndRemove(key));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys) {
        lifecycle.checkOpen();
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        return async.run(() -> removeAll(copy));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync() {
        lifecycle.checkOpen();
        return async.run(() -> removeAll());
    }

    @Override
    public CompletionStage<@Nullable Void> clearAsync() {
        lifecycle.checkOpen();
        return async.run(() -> clear());
    }

    @Override
    public <T> CompletionStage<@Nullable T> invokeAsync(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        lifecycle.checkOpen();
        check.key(key);
        Objects.requireNonNull(processor, "processor");
        return async.call(() -> invoke(key, processor, arguments));
    }

    @Override
    public <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        lifecycle.checkOpen();
        check.keys(keys);
        Objects.requireNonNull(processor, "processor");
        Set<K> copy = new LinkedHashSet<>(keys);
        return async.call(() -> invokeAll(copy, processor, arguments));
    }

    @Override
    public boolean flushWrites(Duration atMost) {
        lifecycle.checkOpen();
        return writer().flush(Objects.requireNonNull(atMost, "atMost"));
    }

    @Override
    public ScanResult<K, V> scan(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        lifecycle.checkOpen();
        return operations.scanning().scan(new ScanQuery<>(filter, limit, order), options);
    }

    @Override
    public CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        lifecycle.checkOpen();
        ScanQuery<K, V> query = new ScanQuery<>(filter, limit, order);
        Objects.requireNonNull(options, "options");
        return async.call(() -> operations.scanning().scan(query, options));
    }

    /** Begins what {@link #close} waits for. */
    void beginClose() {
        writer().beginClose();
    }

    /** Removes all entries, also if the cache is closed: it is being destroyed. */
    void removeRemains() {
        operations.clearing().clear("destroyCache");
    }

    @Override
    public void close() {
        if (!lifecycle.end()) {
            return;
        }
        // Forgotten last: meters and MXBeans of another cache of this name must not be taken for those of this one.
        Closing.all(List.of(
                writer()::close,
                () -> manager.client().meters().close(getName()),
                () -> lifecycle.release(operations.told().events()),
                () -> manager.forget(this)));
    }

    @Override
    public boolean isClosed() {
        return lifecycle.isClosed();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrap.as(this, type);
    }

    void enableStatistics(boolean wanted) {
        synchronized (configuration) {
            configuration.setStatisticsEnabled(wanted);
            counters.enable(wanted);
            lifecycle.showBeans(configuration, counters);
        }
    }

    void enableManagement(boolean wanted) {
        synchronized (configuration) {
            configuration.setManagementEnabled(wanted);
            lifecycle.showBeans(configuration, counters);
        }
    }

    /** Returns this cache as the groups of its manager see it. */
    GroupedCache<K, V> grouped() {
        lifecycle.checkOpen();
        return new CacheOfGroups<>(this, calls, check, forms);
    }

    private ChangeWriter<K, V> writer() {
        return operations.writes().writer();
    }

    boolean hasWriter() {
        return writer().isOn();
    }

    boolean isReplicated() {
        return configuration.isReplicated();
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

    /** Takes a value at once, by value: the caller may go on changing its own before the pool has a thread. */
    private Supplier<V> copyOf(V value) {
        return () -> forms.coder().copy(value);
    }

    private Supplier<Map<K, V>> copyOf(Map<? extends K, ? extends V> map) {
        return () -> {
            calls.checkBatch(map.size());
            Map<K, V> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(key, forms.coder().copy(value)));
            return copy;
        };
    }

    private <T> T timed(Supplier<T> operation, LongConsumer took) {
        long start = calls.ticker().nanos();
        T result = operation.get();
        took.accept(calls.ticker().nanos() - start);
        return result;
    }

    private void timedRun(Runnable operation, LongConsumer took) {
        long start = calls.ticker().nanos();
        operation.run();
        took.accept(calls.ticker().nanos() - start);
    }

    @Override
    public CacheGroup group(K key) {
        lifecycle.checkOpen();
        check.key(key);
        if (isReplicated()) {
            throw new UnsupportedOperationException(
                    "Cache %s: it is replicated, so its entries are in every partition and in no group; ask the manager for the group of an entity key"
                            .formatted(calls.name()));
        }
        return manager.groups().of(calls.encode(key));
    }

    @Override
    @SuppressWarnings("NullAway") // a processor may return null
    public <T> T invokeGroup(K key, GroupProcessor<T> processor, Object... arguments) {
        return group(key).invoke(processor, arguments);
    }
}

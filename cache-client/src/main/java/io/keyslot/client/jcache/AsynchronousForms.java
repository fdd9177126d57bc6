// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.client.concurrent.AsyncCalls;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous forms of all operations. They check and copy the arguments on the caller's thread, so the caller may
 * modify them afterwards. Those about entries that are known send their first command at once, and no thread waits for replies; the
 * pool runs what they do between, such as decoding, processors and loads, and the whole of the others.
 */
abstract class AsynchronousForms<K, V> implements PartitionedCache<K, V> {
    final Arguments<K, V> check;
    final CacheCalls<K> calls;
    final CacheCounters counters;
    final CacheReads<K, V> reads;
    final CacheWrites<K, V> writes;
    final EntryProcessors<K, V> processors;
    private final UnaryOperator<V> copying;
    final AsyncCalls async;

    AsynchronousForms(CacheAssembly<K, V> parts) {
        this.check = new Arguments<>(
                parts.calls.name(),
                parts.configuration.getKeyType(),
                parts.configuration.getValueType(),
                parts.lifecycle::checkOpen);
        this.calls = parts.calls;
        this.counters = parts.publisher.counters();
        this.reads = parts.reads;
        this.writes = parts.writes;
        this.processors = parts.processors;
        this.copying = parts.coder::copy;
        this.async = parts.async;
    }

    /** Calls without a thread that waits for replies, and records how long that took. */
    private <T extends @Nullable Object> CompletionStage<T> ahead(
            int entries,
            Supplier<? extends AsyncCalls.@Nullable Parts<T>> begin,
            LongConsumer took,
            Supplier<CompletionStage<T>> otherwise) {
        long start = calls.ticker().nanos();
        return async.callAhead(entries, begin, () -> took.accept(calls.ticker().nanos() - start), otherwise);
    }

    /** As {@link #ahead}, for a call that depends on the entry. */
    private <T extends @Nullable Object> CompletionStage<T> inParts(
            Supplier<AsyncCalls.Parts<T>> begin, LongConsumer took) {
        AsyncCalls.Parts<T> parts;
        try {
            parts = begin.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return ahead(1, () -> parts, took, () -> async.call(() -> timed(parts::now, took)));
    }

    final <T extends @Nullable Object> T timed(Supplier<T> call, LongConsumer took) {
        long start = calls.ticker().nanos();
        T result = call.get();
        took.accept(calls.ticker().nanos() - start);
        return result;
    }

    private Supplier<V> copyOf(K key, V value) {
        check.entry(key, value);
        return () -> copying.apply(value);
    }

    private Supplier<Map<K, V>> copyOf(Map<? extends K, ? extends V> map) {
        check.entries(map);
        return () -> {
            calls.checkBatch(map.size());
            Map<K, V> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(key, copying.apply(value)));
            return copy;
        };
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        check.key(key);
        return ahead(1, () -> reads.getAhead(key, null), counters::getTook, () -> async.call(() -> get(key)));
    }

    @Override
    public CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        return ahead(
                copy.size(), () -> reads.getAllAhead(copy), counters::getTook, () -> async.call(() -> getAll(copy)));
    }

    @Override
    public CompletionStage<Boolean> containsKeyAsync(K key) {
        check.key(key);
        return ahead(1, () -> reads.containsKeyAhead(key), took -> {}, () -> async.call(() -> containsKey(key)));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value) {
        Supplier<V> copy = copyOf(key, value);
        return ahead(
                1,
                () -> writes.putAhead(key, value, null),
                counters::putTook,
                () -> async.run(copy, taken -> put(key, taken)));
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive) {
        Supplier<V> copy = copyOf(key, value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return ahead(
                1,
                () -> writes.putAhead(key, value, timeToLive),
                counters::putTook,
                () -> async.run(copy, taken -> put(key, taken, timeToLive)));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
        Supplier<Map<K, V>> copy = copyOf(map);
        return ahead(
                map.size(),
                () -> writes.putAllAhead(map, null),
                counters::putTook,
                () -> async.run(copy, this::putAll));
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive) {
        Supplier<Map<K, V>> copy = copyOf(map);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return ahead(
                map.size(),
                () -> writes.putAllAhead(map, timeToLive),
                counters::putTook,
                () -> async.run(copy, taken -> putAll(taken, timeToLive)));
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value) {
        Supplier<V> copy = copyOf(key, value);
        return inParts(() -> writes.putIfAbsent(key, copy.get(), null), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        Supplier<V> copy = copyOf(key, value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return inParts(() -> writes.putIfAbsent(key, copy.get(), timeToLive), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndPutAsync(K key, V value) {
        Supplier<V> copy = copyOf(key, value);
        return inParts(() -> writes.getAndPut(key, copy.get()), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V value) {
        Supplier<V> copy = copyOf(key, value);
        return inParts(() -> writes.replace(key, copy.get()), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue) {
        check.entry(key, oldValue);
        Supplier<V> copy = copyOf(key, newValue);
        return inParts(() -> writes.changeIfEqual("replace", key, oldValue, copy.get()), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value) {
        Supplier<V> copy = copyOf(key, value);
        return inParts(() -> writes.getAndReplace(key, copy.get()), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key) {
        check.key(key);
        return ahead(1, () -> writes.removeAhead(key), counters::removeTook, () -> async.call(() -> remove(key)));
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key, V oldValue) {
        check.entry(key, oldValue);
        return inParts(() -> writes.changeIfEqual("remove", key, oldValue, null), counters::removeTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndRemoveAsync(K key) {
        check.key(key);
        return ahead(
                1,
                () -> writes.getAndRemoveAhead(key),
                counters::removeTook,
                () -> async.call(() -> getAndRemove(key)));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        return async.run(() -> removeAll(copy));
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync() {
        check.open();
        return async.run(() -> removeAll());
    }

    @Override
    public CompletionStage<@Nullable Void> clearAsync() {
        check.open();
        return async.run(() -> clear());
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        check.key(key);
        Objects.requireNonNull(processor, "processor");
        return inParts(() -> processors.invoke("invoke", key, processors.rules(), processor, arguments), took -> {});
    }

    @Override
    public <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        Objects.requireNonNull(processor, "processor");
        return async.call(() -> invokeAll(copy, processor, arguments));
    }

    @Override
    public CompletionStage<ScanResult<K, V>> scanAsync(
            Predicate<? super Cache.Entry<K, V>> filter,
            int limit,
            @Nullable Comparator<? super Cache.Entry<K, V>> order,
            ScanOptions options) {
        check.open();
        CacheScans.Query<K, V> query = new CacheScans.Query<>(filter, limit, order);
        Objects.requireNonNull(options, "options");
        return async.call(() -> scan(query, options));
    }

    abstract ScanResult<K, V> scan(CacheScans.Query<K, V> query, ScanOptions options);
}

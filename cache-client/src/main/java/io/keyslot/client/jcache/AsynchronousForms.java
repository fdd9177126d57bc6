// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.client.concurrent.AsyncCalls;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * modify them afterwards. They send their first command at once, and no thread waits for replies, except for those of
 * calls with listeners or writers; the pool runs what they do between, such as decoding, processors, loads and filters.
 */
abstract class AsynchronousForms<K, V> implements PartitionedCache<K, V> {
    final Arguments<K, V> check;
    final CacheCalls<K> calls;
    final CacheCounters counters;
    final CacheReads<K, V> reads;
    final CacheWrites<K, V> writes;
    final EntryProcessors<K, V> processors;
    final CacheScans<K, V> scans;
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
        this.scans = parts.scans;
        this.copying = parts.coder::copy;
        this.async = parts.async;
    }

    /** Calls without a thread that waits for replies, and records how long that took. */
    private <T extends @Nullable Object> CompletionStage<T> inParts(
            int entries, Supplier<? extends AsyncCalls.Parts<T>> begin, LongConsumer took) {
        long start = calls.ticker().nanos();
        return async.callAhead(entries, begin, () -> took.accept(calls.ticker().nanos() - start));
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        check.key(key);
        return inParts(1, () -> reads.getInParts(key, null), counters::getTook);
    }

    @Override
    public CompletionStage<Map<K, V>> getAllAsync(Set<? extends K> keys) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        return inParts(copy.size(), () -> reads.getAllInParts(copy), counters::getTook);
    }

    @Override
    public CompletionStage<Boolean> containsKeyAsync(K key) {
        check.key(key);
        return inParts(1, () -> reads.containsKeyInParts(key), took -> {});
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value) {
        check.entry(key, value);
        return inParts(1, () -> writes.putInParts(key, value, null), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable Void> putAsync(K key, V value, Duration timeToLive) {
        check.entry(key, value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return inParts(1, () -> writes.putInParts(key, value, timeToLive), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
        check.entries(map);
        return inParts(map.size(), () -> writes.putAllInParts(map, null), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Duration timeToLive) {
        check.entries(map);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return inParts(map.size(), () -> writes.putAllInParts(map, timeToLive), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value) {
        check.entry(key, value);
        return inParts(1, () -> writes.putIfAbsent(key, copying.apply(value), null), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        check.entry(key, value);
        Objects.requireNonNull(timeToLive, "timeToLive");
        return inParts(1, () -> writes.putIfAbsent(key, copying.apply(value), timeToLive), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndPutAsync(K key, V value) {
        check.entry(key, value);
        return inParts(1, () -> writes.getAndPut(key, copying.apply(value)), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V value) {
        check.entry(key, value);
        return inParts(1, () -> writes.replace(key, copying.apply(value)), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> replaceAsync(K key, V oldValue, V newValue) {
        check.entry(key, oldValue);
        check.value(newValue);
        return inParts(
                1, () -> writes.changeIfEqual("replace", key, oldValue, copying.apply(newValue)), counters::putTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndReplaceAsync(K key, V value) {
        check.entry(key, value);
        return inParts(1, () -> writes.getAndReplace(key, copying.apply(value)), counters::putTook);
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key) {
        check.key(key);
        return inParts(1, () -> writes.removeInParts(key), counters::removeTook);
    }

    @Override
    public CompletionStage<Boolean> removeAsync(K key, V oldValue) {
        check.entry(key, oldValue);
        return inParts(1, () -> writes.changeIfEqual("remove", key, oldValue, null), counters::removeTook);
    }

    @Override
    public CompletionStage<@Nullable V> getAndRemoveAsync(K key) {
        check.key(key);
        return inParts(1, () -> writes.getAndRemoveInParts(key), counters::removeTook);
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync(Set<? extends K> keys) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        return inParts(copy.size(), () -> writes.removeAll(copy), counters::removeTook);
    }

    @Override
    public CompletionStage<@Nullable Void> removeAllAsync() {
        check.open();
        return inParts(1, writes::removeAll, counters::removeTook);
    }

    @Override
    public CompletionStage<@Nullable Void> clearAsync() {
        check.open();
        return inParts(1, writes::clear, took -> {});
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> invokeAsync(
            K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        check.key(key);
        Objects.requireNonNull(processor, "processor");
        return inParts(1, () -> processors.invoke("invoke", key, processors.rules(), processor, arguments), took -> {});
    }

    @Override
    public <T> CompletionStage<Map<K, EntryProcessorResult<T>>> invokeAllAsync(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        Set<K> copy = new LinkedHashSet<>(check.keys(keys));
        Objects.requireNonNull(processor, "processor");
        Map<K, AsyncCalls.Parts<@Nullable T>> each = processors.invokeEach(copy, processor, arguments);
        return each == null
                ? async.call(() -> invokeAll(copy, processor, arguments))
                : async.callAll(each.values(), stages -> EntryProcessors.results(each.keySet(), stages));
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
        return scans.scanAsync(query, options, async);
    }
}

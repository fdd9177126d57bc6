// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Unanswered;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;

/** Runs a processor on many entries, partitions in parallel. The failure of an entry becomes the result of its key. */
public final class BulkProcessing<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final Processing<K, V> processing;
    private final Parallel parallel;

    public BulkProcessing(CacheCalls<K> calls, EntryStore<V> store, Processing<K, V> processing, Parallel parallel) {
        this.calls = calls;
        this.store = store;
        this.processing = processing;
        this.parallel = parallel;
    }

    /** Returns the results and failures in the order of the keys, without null results. */
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        calls.checkBatch(keys.size());
        List<K> all = new ArrayList<>(keys);
        AtomicBoolean abandoned = new AtomicBoolean();
        List<Share<T>> shares = split(all).stream()
                .map(share -> new Share<>(share, processor, arguments, abandoned))
                .toList();
        if (!parallel.run(shares)) {
            abandoned.set(true);
        }
        Map<K, EntryProcessorResult<T>> found = new LinkedHashMap<>();
        shares.forEach(share -> found.putAll(share.outcome()));
        Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
        for (K key : all) {
            EntryProcessorResult<T> result = found.get(key);
            if (result != null) {
                results.put(key, result);
            }
        }
        return results;
    }

    private List<List<K>> split(List<K> keys) {
        Map<Optional<PartitionId>, List<K>> shares = new LinkedHashMap<>();
        for (K key : keys) {
            shares.computeIfAbsent(ownerOf(key), first -> new ArrayList<>()).add(key);
        }
        return List.copyOf(shares.values());
    }

    private Optional<PartitionId> ownerOf(K key) {
        try {
            return store.ownerOf(calls.encode(key));
        } catch (LimitExceededException tooLong) {
            return Optional.empty(); // reported as the result of the key when it is processed
        }
    }

    private static <T> EntryProcessorResult<T> failed(EntryProcessorException failure) {
        return () -> {
            throw failure;
        };
    }

    private final class Share<T> implements Runnable {
        private final List<K> keys;
        private final EntryProcessor<K, V, T> processor;
        private final Object[] arguments;
        private final AtomicBoolean abandoned;
        private final Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
        private volatile boolean ended; // published last

        Share(List<K> keys, EntryProcessor<K, V, T> processor, Object[] arguments, AtomicBoolean abandoned) {
            this.keys = keys;
            this.processor = processor;
            this.arguments = arguments;
            this.abandoned = abandoned;
        }

        @Override
        public void run() {
            for (K key : keys) {
                if (abandoned.get()) {
                    return;
                }
                process(key);
            }
            ended = true;
        }

        private void process(K key) {
            try {
                T result = processing.invoke("invokeAll", key, processor, arguments);
                if (result != null) {
                    results.put(key, () -> result);
                }
            } catch (EntryProcessorException e) {
                results.put(key, failed(e));
            } catch (CacheException e) {
                results.put(key, failed(new EntryProcessorException(e)));
            }
        }

        /** Returns the results, or failures with an unknown outcome if this share is still running. */
        Map<K, EntryProcessorResult<T>> outcome() {
            if (ended) {
                return results;
            }
            Map<K, EntryProcessorResult<T>> unknown = new LinkedHashMap<>();
            keys.forEach(key -> unknown.put(
                    key,
                    failed(new EntryProcessorException(calls.failures().ofChange("invokeAll", Unanswered.sent())))));
            return unknown;
        }
    }
}

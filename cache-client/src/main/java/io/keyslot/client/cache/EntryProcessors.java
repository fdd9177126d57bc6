// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Unanswered;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * Runs entry processors in this process on the present value, and again if the entry has changed before the result was
 * stored. Processors of one entry run one by one within this process.
 */
public record EntryProcessors<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EntryUpdates<K, V> updates,
        LeasedLoads<K, V> loads,
        FailedWrites<K, V> failed,
        EventPublisher<K, V> publisher,
        ExpiryRules rules,
        Parallel parallel) {
    /**
     * Runs a processor. If the partition is missing, and the policies for reads and writes both allow it, the processor
     * finds no entry, and its changes are not stored; a processor that ran before the partition was lost does not run
     * again.
     */
    public <T> @Nullable T invoke(String operation, K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        return invoke(operation, key, rules, processor, arguments);
    }

    <T> @Nullable T invoke(
            String operation, K key, ExpiryRules expiry, EntryProcessor<K, V, T> processor, Object... arguments) {
        AtomicReference<@Nullable Processed<T>> last = new AtomicReference<>();
        try {
            return invoke(operation, key, expiry, processor, last, arguments);
        } catch (PartitionUnavailableException | OutcomeUnknownException e) {
            if (!failed.areProcessorsToo() || !failed.goesOn(e)) {
                throw e;
            }
            Processed<T> ran = last.get();
            Processed<T> processed = ran == null ? processAbsent(key, processor, arguments) : ran;
            if (processed.effect().isChange()) {
                failed.handle(key, null, e);
            }
            publisher.counters().lookup(processed.found());
            return processed.result();
        }
    }

    ExpiryRules rulesFor(@Nullable Duration timeToLive) {
        return rules.withTimeToLive(timeToLive);
    }

    private <T> Processed<T> processAbsent(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
        ProcessorEntry<K, V> entry = new ProcessorEntry<>(key, null, UnaryOperator.identity(), null, publisher::copy);
        T result = process(processor, entry, arguments);
        return new Processed<>(result, entry.effect(), false);
    }

    private <T> @Nullable T invoke(
            String operation,
            K key,
            ExpiryRules expiry,
            EntryProcessor<K, V, T> processor,
            AtomicReference<@Nullable Processed<T>> last,
            Object... arguments) {
        EncodedKey encoded = calls.encode(key);
        try (ProcessorLoad<K, V> load = loads.ofProcessor(key, encoded)) {
            Processed<T> processed = updates.changeInTurn(
                    operation, key, encoded, expiry, failed.areProcessorsToo(), (current, budget) -> {
                        Step<V, Processed<T>> step = attempt(key, current, budget, load, processor, arguments);
                        last.set(step.result());
                        return step;
                    });
            if (processed.effect() != ProcessorEntry.Effect.NONE) {
                load.stored();
            }
            count(processed);
            return processed.result();
        }
    }

    private <T> Step<V, Processed<T>> attempt(
            K key,
            Answer<V> current,
            CallBudget budget,
            ProcessorLoad<K, V> load,
            EntryProcessor<K, V, T> processor,
            Object... arguments) {
        load.begin(current, budget);
        Supplier<@Nullable V> loading = load::load;
        UnaryOperator<V> copying = publisher::copy;
        ProcessorEntry<K, V> entry = new ProcessorEntry<>(
                key,
                current.value(),
                !publisher.hasListeners() ? UnaryOperator.identity() : copying, // listeners get it unmodified
                loads.isReadThrough() ? loading : null,
                copying);
        T result;
        try {
            result = process(processor, entry, arguments);
        } catch (RuntimeException e) {
            load.throwFailure();
            throw e;
        }
        return step(entry, new Processed<>(result, entry.effect(), current.isPresent()))
                .expecting(load.expectedStamp());
    }

    private static <K, V, T> @Nullable T process(
            EntryProcessor<K, V, T> processor, ProcessorEntry<K, V> entry, Object... arguments) {
        try {
            return processor.process(entry, arguments);
        } catch (EntryProcessorException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EntryProcessorException("The entry processor failed: " + e, e);
        }
    }

    private static <K, V, T> Step<V, Processed<T>> step(ProcessorEntry<K, V> entry, Processed<T> processed) {
        return switch (entry.effect()) {
            case NONE -> Step.keep(processed);
            case READ -> Step.touch(processed);
            case LOADED -> Step.setLoaded(entry.newValue(), processed);
            case CREATED, UPDATED -> Step.set(entry.newValue(), processed);
            case REMOVED -> Step.remove(processed);
        };
    }

    private void count(Processed<?> processed) {
        publisher.counters().lookup(processed.found());
        switch (processed.effect()) {
            case LOADED -> publisher.counters().puts(1);
            case REMOVED -> publisher.counters().removals(processed.found() ? 1 : 0);
            case NONE, READ, CREATED, UPDATED -> {}
        }
    }

    private record Processed<T>(@Nullable T result, ProcessorEntry.Effect effect, boolean found) {}

    /**
     * Runs a processor on many entries, partitions in parallel. Returns the results and failures in the order of the
     * keys, without null results.
     */
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
            return store.calls().router().ownerOf(calls.encode(key));
        } catch (LimitExceededException tooLong) {
            return Optional.empty(); // reported as the result of the key when it is processed
        }
    }

    private static <T> EntryProcessorResult<T> failure(EntryProcessorException failure) {
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
                T result = invoke("invokeAll", key, processor, arguments);
                if (result != null) {
                    results.put(key, () -> result);
                }
            } catch (EntryProcessorException e) {
                results.put(key, failure(e));
            } catch (CacheException e) {
                results.put(key, failure(new EntryProcessorException(e)));
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
                    failure(new EntryProcessorException(calls.failures().ofChange("invokeAll", Unanswered.sent())))));
            return unknown;
        }
    }
}

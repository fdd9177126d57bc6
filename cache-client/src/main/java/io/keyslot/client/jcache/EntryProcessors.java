// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.WorkPool;
import io.keyslot.client.entry.Unanswered;
import io.keyslot.client.jcache.LoaderCalls.Loaded;
import io.keyslot.client.partition.Command;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * Runs entry processors in this process on the present value, and again if the entry has changed before the result was
 * stored. Processors of one entry run one by one within this process: those of blocking calls, and those of asynchronous ones.
 */
record EntryProcessors<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EntryUpdates<K, V> updates,
        Loads<K, V> loads,
        FailedWrites<K, V> failed,
        EventPublisher<K, V> publisher,
        ExpiryRules rules,
        Parallel parallel) {
    /**
     * Returns a call of a processor. If the partition is missing, and the policies for reads and writes both allow it, the processor
     * finds no entry, and its changes are not stored; a processor that ran before the partition was lost does not run
     * again.
     */
    <T extends @Nullable Object> AsyncCalls.Parts<@Nullable T> invoke(
            String operation, K key, ExpiryRules expiry, EntryProcessor<K, V, T> processor, Object... arguments) {
        Run<T> run = new Run<>(key, processor, arguments);
        return updates.change(operation, key, expiry, run, run::end);
    }

    private void count(Processed<?> processed) {
        publisher.counters().lookup(processed.found());
        switch (processed.kind()) {
            case SET_LOADED -> publisher.counters().puts(1);
            case REMOVE -> publisher.counters().removals(processed.found() ? 1 : 0);
            case KEEP, TOUCH, SET -> {}
        }
    }

    private record Processed<T extends @Nullable Object>(
            @Nullable T result, Step.Kind kind, boolean found) {}

    /**
     * The call of a processor, which may run it several times. If the processor reads a missing entry, this loads it: it
     * takes the entry's lease, even from another process, so that a change of the entry while the loader runs makes the
     * processor run again. It holds the lease until the result is stored, and releases it otherwise. For use by one
     * thread.
     */
    private final class Run<T extends @Nullable Object> implements EntryUpdates.Decision<V, Processed<T>> {
        private final K key;
        private final EntryProcessor<K, V, T> processor;
        private final Object[] arguments;
        private @Nullable Processed<T> last;
        private @Nullable Lease lease;
        private LeaseRenewals.@Nullable Held held;
        private @Nullable CallBudget budget;
        private @Nullable KeyslotException loadFailure;

        Run(K key, EntryProcessor<K, V, T> processor, Object[] arguments) {
            this.key = key;
            this.processor = processor;
            this.arguments = arguments;
        }

        /** Runs the processor. If it runs again, the entry has changed, and the previous lease has ended. */
        @Override
        public Step<V, Processed<T>> of(Answer<V> current, CallBudget left) {
            stored();
            budget = left;
            Supplier<@Nullable V> loading = () -> load(current, left);
            UnaryOperator<V> copying = publisher::copy;
            ProcessorEntry<K, V> entry = new ProcessorEntry<>(
                    key,
                    current.value(),
                    publisher.hasListeners() ? copying : UnaryOperator.identity(), // listeners get it unmodified
                    loads.policy().isReadThrough() ? loading : null,
                    copying);
            Processed<T> processed;
            try {
                processed = process(entry, current.isPresent());
            } catch (RuntimeException e) {
                if (loadFailure != null) {
                    throw loadFailure;
                }
                throw e;
            }
            last = processed;
            Step<V, Processed<T>> step = new Step<>(entry.kind(), entry.newValue(), processed, null);
            return step.expecting(lease == null ? current.stamp() : lease.stamp());
        }

        @Override
        public boolean isInTurn() {
            return true;
        }

        @Override
        public boolean readsFirst() {
            return failed.areProcessorsToo();
        }

        /** Waits for the lease of an entry that the processor loads. */
        @Override
        public boolean mayWait() {
            return loads.policy().isReadThrough();
        }

        /** Runs the processor without its partition, unless it has run; its changes are not counted. */
        @Override
        public Processed<T> instead(KeyslotException failure) {
            boolean isOutage =
                    failure instanceof PartitionUnavailableException || failure instanceof OutcomeUnknownException;
            if (!isOutage || !failed.areProcessorsToo() || !failed.goesOn(failure)) {
                throw failure;
            }
            Processed<T> processed = last == null
                    ? process(
                            new ProcessorEntry<>(key, null, UnaryOperator.identity(), null, UnaryOperator.identity()),
                            false)
                    : last;
            if (processed.kind() != Step.Kind.KEEP && processed.kind() != Step.Kind.TOUCH) {
                failed.handle(key, null, failure);
            }
            return new Processed<>(processed.result(), Step.Kind.KEEP, processed.found());
        }

        @Nullable
        T end(Processed<T> processed) {
            if (processed.kind() != Step.Kind.KEEP) {
                stored();
            }
            count(processed);
            return processed.result();
        }

        private Processed<T> process(ProcessorEntry<K, V> entry, boolean found) {
            try {
                T result = processor.process(entry, arguments);
                return new Processed<>(result, entry.kind(), found);
            } catch (EntryProcessorException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new EntryProcessorException("The entry processor failed: " + e, e);
            }
        }

        private @Nullable V load(Answer<V> current, CallBudget left) {
            loads.loader().checkNotWithin(key);
            if (current.stamp() == Command.ABSENT && lease == null) {
                take(store.leases().ofMissing(calls.encode(key)), left);
            }
            try {
                Loaded<V> loaded = loads.loader().load(key, LoadCause.MISS);
                return loaded == null ? null : loaded.value();
            } catch (CallInterruptedException e) {
                loadFailure = e;
                throw e;
            }
        }

        private void take(Lease.OfMissing mine, CallBudget left) {
            Answer<V> now = store.leases().takeAll(List.of(mine), left).get(0);
            loadFailure = now.failure();
            if (loadFailure != null) {
                throw loadFailure;
            }
            if (now.leaseStamp() != mine.stamp()) {
                // If the entry was stored meanwhile, this fails, and the processor's result will not be applied.
                List<Boolean> unused = store.leases().takeOverAll(List.of(mine), left);
            }
            lease = mine;
            held = loads.renewals().hold();
            held.add(mine);
        }

        /** Drops the lease, which the result has replaced. */
        void stored() {
            if (held != null) {
                List<Lease> unused = held.takeAll();
                held = null;
                lease = null;
            }
        }

        @Override
        public void close() {
            if (held != null) {
                store.leases().releaseAll(held.takeAll(), Objects.requireNonNull(budget));
            }
        }
    }

    /**
     * Runs a processor on many entries, partitions in parallel. Returns the results and failures in the order of the
     * keys, without null results.
     */
    <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        calls.checkBatch(keys.size());
        Map<Optional<PartitionId>, List<K>> byOwner = new LinkedHashMap<>();
        for (K key : keys) {
            byOwner.computeIfAbsent(ownerOf(key), first -> new ArrayList<>()).add(key);
        }
        AtomicBoolean abandoned = new AtomicBoolean();
        List<Share<T>> shares = byOwner.values().stream()
                .map(share -> new Share<>(share, processor, arguments, abandoned))
                .toList();
        if (!parallel.run(shares)) {
            abandoned.set(true);
        }
        Map<K, EntryProcessorResult<T>> found = new LinkedHashMap<>();
        shares.forEach(share -> found.putAll(share.outcome()));
        Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
        for (K key : keys) {
            EntryProcessorResult<T> result = found.get(key);
            if (result != null) {
                results.put(key, result);
            }
        }
        return results;
    }

    /** Returns the calls of a processor with many entries; null if one of them needs a thread, or if they are too many. */
    <T> @Nullable Map<K, AsyncCalls.Parts<@Nullable T>> invokeEach(
            Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
        Map<K, AsyncCalls.Parts<@Nullable T>> each = new LinkedHashMap<>();
        try {
            calls.checkBatch(keys.size());
            keys.forEach(key -> each.put(key, invoke("invokeAll", key, rules, processor, arguments)));
        } catch (LimitExceededException tooLong) {
            return null; // reported by invokeAll
        }
        boolean areAhead = each.values().stream().allMatch(AsyncCalls.Parts::isAhead);
        return areAhead && each.size() <= WorkPool.MOST_AHEAD ? each : null;
    }

    static <K, T> Map<K, EntryProcessorResult<T>> results(Set<K> keys, List<CompletableFuture<@Nullable T>> ended) {
        Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
        Iterator<CompletableFuture<@Nullable T>> stages = ended.iterator();
        keys.forEach(key -> put(results, key, () -> Futures.resultOf(stages.next())));
        return results;
    }

    private static <K, T> void put(Map<K, EntryProcessorResult<T>> results, K key, Supplier<@Nullable T> call) {
        try {
            T result = call.get();
            if (result != null) {
                results.put(key, () -> result);
            }
        } catch (EntryProcessorException e) {
            results.put(key, failure(e));
        } catch (CacheException e) {
            results.put(key, failure(new EntryProcessorException(e)));
        }
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
                put(
                        results,
                        key,
                        () -> invoke("invokeAll", key, rules, processor, arguments)
                                .now());
            }
            ended = true;
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.Handover;
import io.keyslot.client.writing.Handovers;
import io.keyslot.client.writing.WriterFirst;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * Changes many entries. Not atomic: each entry is changed on its own, and what was done stays done when others fail. The
 * exception names the keys that failed.
 */
public final class BulkChanges<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final ChangeTeller<K, V> told;
    private final Changes<K, V> changes;
    private final ChangeWriter<K, V> writer;
    private final FailedWrites<K, V> failed;
    private final CacheFirst<K, V> cacheFirst;
    private final ExpiryRules rules;

    public BulkChanges(
            CacheCalls<K> calls,
            EntryStore<V> store,
            ChangeTeller<K, V> told,
            Changes<K, V> changes,
            FailedWrites<K, V> failed,
            ExpiryRules rules) {
        this.calls = calls;
        this.store = store;
        this.told = told;
        this.changes = changes;
        this.writer = changes.cacheFirst().writer();
        this.failed = failed;
        this.cacheFirst = changes.cacheFirst();
        this.rules = rules;
    }

    /** Stores entries, by the writer first. */
    public void putAll(Map<? extends K, ? extends V> map) {
        putAll(map, rules);
    }

    /** As {@link #putAll(Map)}, for a time of their own. */
    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        putAll(map, rules.withTimeToLive(timeToLive));
    }

    private void putAll(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        calls.checkBatch(map.size());
        WriterFirst<K, V> writerFirst = changes.writerFirst();
        if (writerFirst != null) {
            conclude("putAll", writerFirst.putAll("putAll", map, expiry, failed.areJournaled()));
            return;
        }
        if (cacheFirst.mayBeBlind(expiry)) {
            if (writer.isOn()) {
                putAllBlind(map, expiry);
            } else {
                putAllUnheard(map, expiry);
            }
            return;
        }
        calls.encodeAll(map.keySet()); // what is over a limit is refused before anything is written
        map.values().forEach(store::encode);
        CallBudget budget = calls.budgetFor("putAll", map.size());
        Outcome outcome = new Outcome();
        outcome.attemptAll(map.keySet(), keys -> writer.writeAll(part(map, keys), budget), handovers -> {
            for (K key : handovers.keys()) {
                V value = Objects.requireNonNull(map.get(key));
                Handover handover = handovers.of(key);
                outcome.attempt(
                        key,
                        () -> changes.change(
                                "putAll",
                                key,
                                expiry,
                                current -> Step.set(value, true).by(handover)));
            }
        });
        outcome.forgetFailed(map::get, budget);
        outcome.throwFailures("putAll");
    }

    private void putAllBlind(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        Map<K, Command.Put> puts = new LinkedHashMap<>(2 * map.size());
        map.forEach((key, value) -> puts.put(key, cacheFirst.encodePut(calls.encode(key), value, expiry)));
        CallBudget budget = calls.budgetFor("putAll", puts.size());
        Outcome outcome = new Outcome();
        outcome.attemptAll(puts.keySet(), keys -> writer.writeAll(part(map, keys), budget), handovers -> {
            List<Command.Put> changed = List.copyOf(part(puts, handovers.keys()).values());
            outcome.add(handovers.keys(), handovers.aroundAll(() -> store.putAll(changed, budget), problem -> problem));
        });
        conclude(outcome, map, budget);
    }

    /** Stores entries of which no writer hears. */
    private void putAllUnheard(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        List<K> keys = new ArrayList<>(map.size());
        List<Command.Put> puts = new ArrayList<>(map.size());
        map.forEach((key, value) -> {
            keys.add(key);
            puts.add(cacheFirst.encodePut(calls.encode(key), value, expiry));
        });
        CallBudget budget = calls.budgetFor("putAll", puts.size());
        Outcome outcome = new Outcome();
        List<@Nullable KeyslotException> problems = store.putAll(puts, budget);
        for (int i = 0; i < problems.size(); i++) {
            outcome.add(keys.get(i), problems.get(i));
        }
        conclude(outcome, map, budget);
    }

    private void conclude(Outcome outcome, Map<? extends K, ? extends V> map, CallBudget budget) {
        told.counters().puts(outcome.done());
        outcome.forgetFailed(map::get, budget);
        outcome.throwFailures("putAll");
    }

    /** Throws what went wrong. That all others are done may be said only if the writer has done its part of all. */
    private void conclude(String operation, WriterFirst.Outcome<K> done) {
        KeyslotException failure =
                done.failures().isEmpty() ? null : calls.failures().ofBulk(operation, done.failures());
        CacheWriterException refusal = done.writerFailure();
        if (failure != null) {
            if (refusal == null) {
                throw failure;
            }
            refusal.addSuppressed(failure);
            throw refusal;
        }
        if (done.listenerFailure() != null) {
            throw done.listenerFailure();
        }
        if (done.writerFailure() != null) {
            throw done.writerFailure();
        }
    }

    private static <K, T> Map<K, T> part(Map<? extends K, ? extends T> map, Set<K> keys) {
        Map<K, T> part = new LinkedHashMap<>();
        keys.forEach(key -> part.put(key, Objects.requireNonNull(map.get(key))));
        return part;
    }

    /** Removes entries, by the writer first. */
    public void removeAll(Set<? extends K> keys) {
        calls.checkBatch(keys.size());
        removePage(keys);
    }

    /** As {@link #removeAll}, of as many as there are. */
    void removePage(Set<? extends K> keys) {
        if (keys.isEmpty()) {
            return;
        }
        WriterFirst<K, V> writerFirst = changes.writerFirst();
        if (writerFirst != null) {
            WriterFirst.Outcome<K> done = writerFirst.removeAll("removeAll", keys, failed.areJournaled());
            told.counters().removals(done.removed());
            conclude("removeAll", done);
            return;
        }
        calls.encodeAll(keys);
        CallBudget budget = calls.budgetFor("removeAll", keys.size());
        Outcome outcome = new Outcome();
        outcome.attemptAll(keys, some -> writer.deleteAll(some, budget), handovers -> {
            if (!told.isHeard()) {
                removeBlind(handovers, outcome, budget);
            } else {
                handovers
                        .keys()
                        .forEach(key ->
                                outcome.attempt(key, () -> told.counters().removals(remove(key, handovers.of(key)))));
            }
        });
        outcome.forgetFailed(key -> null, budget);
        outcome.throwFailures("removeAll");
    }

    private void removeBlind(Handovers<K> handovers, Outcome outcome, CallBudget budget) {
        List<EncodedKey> encoded = calls.encodeAll(handovers.keys());
        List<Answer<V>> removed = handovers.aroundAll(() -> store.getAndRemoveAll(encoded, budget), Answer::failure);
        List<@Nullable KeyslotException> problems = new ArrayList<>();
        removed.forEach(answer -> problems.add(answer.failure()));
        outcome.add(handovers.keys(), problems);
        told.counters().removals(removed.stream().filter(Answer::isPresent).count());
    }

    private int remove(K key, Handover handover) {
        return changes.change(
                "removeAll",
                key,
                rules,
                current -> Step.<V, Integer>remove(current.isPresent() ? 1 : 0).by(handover));
    }

    /** Removes entries, and tells nobody. */
    void removeSilently(String operation, List<EncodedKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<@Nullable KeyslotException> problems = store.removeAll(keys, calls.budgetFor(operation, keys.size()));
        Outcome outcome = new Outcome();
        for (int i = 0; i < keys.size(); i++) {
            outcome.add(keys.get(i), problems.get(i));
        }
        outcome.throwFailures(operation);
    }

    /** Collects what failed while the rest goes on. */
    private final class Outcome {
        private final Map<Object, KeyslotException> failures = new LinkedHashMap<>();
        private int done;
        private @Nullable CacheEntryListenerException listenerFailure;
        private @Nullable CacheWriterException writerFailure;

        /** Has the writer prepare changes, as many at a time as it can, and makes them. */
        void attemptAll(
                Set<? extends K> keys, Function<Set<K>, Handovers<K>> preparing, Consumer<Handovers<K>> changing) {
            List<K> rest = new ArrayList<>(keys);
            while (!rest.isEmpty()) {
                List<K> next = rest.subList(0, Math.min(rest.size(), writer.mostAtOnce()));
                try (Handovers<K> handovers = preparing.apply(new LinkedHashSet<>(next))) {
                    changing.accept(handovers);
                    writerFailure = handovers.failure();
                } catch (CacheOverloadedException | CallInterruptedException full) {
                    rest.forEach(key -> failures.put(key, full)); // for those behind it, there is no more time either
                    return;
                }
                next.clear();
            }
        }

        void attempt(K key, Runnable change) {
            KeyslotException problem = null;
            try {
                change.run();
            } catch (KeyslotException e) {
                problem = e;
            } catch (CacheEntryListenerException e) {
                if (listenerFailure == null) {
                    listenerFailure = e;
                }
            }
            add(key, problem);
        }

        void add(Set<K> keys, List<@Nullable KeyslotException> problems) {
            int i = 0;
            for (K key : keys) {
                add(key, problems.get(i++));
            }
        }

        void add(Object key, @Nullable KeyslotException problem) {
            if (problem == null) {
                done++;
            } else {
                failures.put(key, problem);
            }
        }

        int done() {
            return done;
        }

        /** Has copies deleted that are out of date; if the policy is to go on, what failed counts as done. */
        @SuppressWarnings("unchecked") // of putAll and removeAll: the keys are the caller's
        void forgetFailed(Function<K, @Nullable V> valueOf, CallBudget budget) {
            Set<K> keys = (Set<K>) (Set<?>) failures.keySet();
            for (K key : List.copyOf(keys)) {
                if (!failed.goesOn(Objects.requireNonNull(failures.get(key)))) {
                    continue;
                }
                try {
                    failed.goOn(key, valueOf.apply(key), budget);
                } catch (CacheOverloadedException | CallInterruptedException full) {
                    return; // the rest would wait in vain as well
                }
                failures.remove(key);
            }
        }

        void throwFailures(String operation) {
            if (!failures.isEmpty()) {
                throw calls.failures().ofBulk(operation, failures);
            }
            if (listenerFailure != null) {
                throw listenerFailure;
            }
            if (writerFailure != null) {
                throw writerFailure;
            }
        }
    }
}

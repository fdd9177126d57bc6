// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.jcache.WriteThroughUpdate.EntryChange;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Slices;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Stores, replaces and removes single and many entries, and counts these operations. Bulk operations are not atomic:
 * done changes stay if others fail, and the exception names the failed keys. Thread-safe.
 */
record CacheWrites<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EventPublisher<K, V> publisher,
        EntryUpdates<K, V> updates,
        FailedWrites<K, V> failed,
        ExpiryRules rules,
        ExpiryRules putRules,
        KeyScan scan,
        @Nullable NearCache<K, V> near) {

    boolean reportsOutages() {
        return !failed.areJournaled();
    }

    void forget(K key) {
        failed.forget(key);
    }

    private ExpiryRules rulesOfPut(@Nullable Duration timeToLive) {
        return timeToLive == null ? putRules : rules.withTimeToLive(timeToLive);
    }

    void put(K key, V value, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rulesOfPut(timeToLive);
        try {
            if (updates.mayBeBlind(expiry)) {
                putBlind(encodePut(calls.encode(key), value, expiry), calls.budget("put"));
            } else {
                EntryChange<K, V> change = wanted(key, value, expiry);
                if (failed.areJournaled()) {
                    check(change); // a value over a limit is refused even if the partition is missing
                }
                updates.exchange("put", change, failed.areJournaled());
            }
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.handle(key, value, e);
        }
    }

    /** As {@link #put}, with a value that may be modified afterwards. */
    AsyncCalls.Parts<@Nullable Void> putInParts(K key, V value, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rulesOfPut(timeToLive);
        if (!updates.mayBeBlind(expiry) || updates.writer().isOn()) {
            V copy = publisher.copy(value);
            return AsyncCalls.OneCommand.none(() -> {
                put(key, copy, timeToLive);
                return null;
            });
        }
        Command.Put put = encodePut(calls.encode(key), value, expiry);
        CallBudget budget = calls.budget("put");
        Supplier<@Nullable Void> rest = () -> {
            try {
                putBlind(put, budget);
            } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
                failed.handle(key, value, e);
            }
            return null;
        };
        return new AsyncCalls.OneCommand<>(() -> store.calls().changeAhead(put.key(), put, budget), rest, true);
    }

    private EntryChange<K, V> wanted(K key, @Nullable V value, ExpiryRules expiry) {
        return new EntryChange<>(key, calls.encode(key), value, expiry);
    }

    AsyncCalls.Parts<Boolean> putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        // The partition sees unreadable bytes and stale entries as entries, but here they count as absent.
        return updates.add(
                "putIfAbsent",
                key,
                rules.withTimeToLive(timeToLive),
                (current, left) -> current.isPresent() ? Step.keep(current) : Step.set(value, current),
                before -> !looked(before).isPresent());
    }

    AsyncCalls.Parts<@Nullable V> getAndPut(K key, V value) {
        return updates.exchange(
                "getAndPut",
                wanted(key, value, putRules),
                false,
                before -> looked(before).value());
    }

    AsyncCalls.Parts<Boolean> replace(K key, V value) {
        return replaced("replace", key, value, Answer::isPresent);
    }

    AsyncCalls.Parts<@Nullable V> getAndReplace(K key, V value) {
        return replaced("getAndReplace", key, value, Answer::value);
    }

    private <R extends @Nullable Object> AsyncCalls.Parts<R> replaced(
            String operation, K key, V value, Function<Answer<V>, R> result) {
        return updates.change(
                operation,
                key,
                rules,
                (current, left) -> current.isPresent() ? Step.set(value, current) : Step.keep(current),
                before -> result.apply(looked(before)));
    }

    private Answer<V> looked(Answer<V> before) {
        publisher.counters().lookup(before.isPresent());
        return before;
    }

    /** Stores a value, or removes the entry if {@code value} is null, if the present value equals the expected one. */
    AsyncCalls.Parts<Boolean> changeIfEqual(String operation, K key, V expected, @Nullable V value) {
        return updates.change(
                operation,
                key,
                rules,
                (current, left) -> {
                    ValueComparison comparison = ValueComparison.of(current, expected);
                    return switch (comparison) {
                        case EQUAL -> value == null ? Step.remove(comparison) : Step.set(value, comparison);
                        case OTHER -> Step.touch(comparison);
                        case ABSENT -> Step.keep(comparison);
                    };
                },
                comparison -> {
                    boolean isEqual = comparison == ValueComparison.EQUAL;
                    publisher.counters().lookup(comparison != ValueComparison.ABSENT);
                    publisher.counters().removals(isEqual && value == null ? 1 : 0);
                    return isEqual;
                });
    }

    boolean remove(K key) {
        return removed(key, () -> removed("remove", key, failed.areJournaled()));
    }

    private boolean removed(K key, Supplier<Answer<V>> removal) {
        boolean removed;
        try {
            removed = removal.get().isPresent();
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.handle(key, null, e);
            removed = false; // unknown; a cache that has evicted the entry returns false as well
        }
        publisher.counters().removals(removed ? 1 : 0);
        return removed;
    }

    @Nullable
    V getAndRemove(K key) {
        return counted(removed("getAndRemove", key, false));
    }

    AsyncCalls.Parts<@Nullable V> getAndRemoveInParts(K key) {
        return removeInParts("getAndRemove", key, () -> getAndRemove(key), removal -> counted(removal.get()));
    }

    AsyncCalls.Parts<Boolean> removeInParts(K key) {
        return removeInParts("remove", key, () -> remove(key), removal -> removed(key, removal));
    }

    private <T extends @Nullable Object> AsyncCalls.Parts<T> removeInParts(
            String operation, K key, Supplier<T> otherwise, Function<Supplier<Answer<V>>, T> rest) {
        if (!updates.isUnheard() || updates.writer().isOn()) {
            return AsyncCalls.OneCommand.none(otherwise);
        }
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget(operation);
        return new AsyncCalls.OneCommand<>(
                () -> store.calls().changeAhead(encoded, new Command.GetAndRemove(encoded), budget),
                () -> rest.apply(() -> getAndRemove(encoded, budget)),
                true);
    }

    private @Nullable V counted(Answer<V> removed) {
        publisher.counters().removals(removed.isPresent() ? 1 : 0);
        return looked(removed).value();
    }

    private Answer<V> removed(String operation, K key, boolean goesOn) {
        return updates.isUnheard()
                ? getAndRemove(calls.encode(key), calls.budget(operation))
                : updates.exchange(operation, wanted(key, null, rules), goesOn);
    }

    void putAll(Map<? extends K, ? extends V> map, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rulesOfPut(timeToLive);
        calls.checkBatch(map.size());
        if (updates.mayBeBlind(expiry)) {
            List<K> keys = new ArrayList<>(map.size());
            List<Command.Put> puts = encodePuts(map, keys, expiry);
            putAllBlind(keys, puts, map::get, calls.budgetFor("putAll", puts.size()));
            return;
        }
        List<EntryChange<K, V>> wanted = new ArrayList<>(map.size());
        map.forEach((key, value) -> wanted.add(new EntryChange<>(key, calls.encode(key), value, expiry)));
        BulkOutcome<K> outcome = changed("putAll", wanted, map::get);
        outcome.throwAny(calls.failures(), "putAll");
    }

    /** As {@link #putAll}, with a map and values that may be modified afterwards. */
    AsyncCalls.Parts<@Nullable Void> putAllInParts(Map<? extends K, ? extends V> map, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rulesOfPut(timeToLive);
        calls.checkBatch(map.size());
        Map<K, V> copy = new LinkedHashMap<>(map);
        if (!updates.mayBeBlind(expiry) || updates.writer().isOn()) {
            copy.replaceAll((key, value) -> publisher.copy(value));
            return AsyncCalls.OneCommand.none(() -> {
                putAll(copy, timeToLive);
                return null;
            });
        }
        List<K> keys = new ArrayList<>(copy.size());
        List<Command.Put> puts = encodePuts(copy, keys, expiry);
        CallBudget budget = calls.budgetFor("putAll", puts.size());
        Supplier<@Nullable Void> rest = () -> {
            putAllBlind(keys, puts, copy::get, budget);
            return null;
        };
        return puts.size() > EntryCalls.MOST_IN_FLIGHT
                ? AsyncCalls.OneCommand.none(rest)
                : new AsyncCalls.OneCommand<>(() -> store.calls().putAllAhead(puts, budget), rest, true);
    }

    private List<Command.Put> encodePuts(Map<? extends K, ? extends V> map, List<K> keys, ExpiryRules expiry) {
        List<Command.Put> puts = new ArrayList<>(map.size());
        map.forEach((key, value) -> {
            keys.add(key);
            puts.add(encodePut(calls.encode(key), value, expiry));
        });
        return puts;
    }

    private void putAllBlind(
            List<K> keys, List<Command.Put> puts, Function<K, @Nullable V> valueOf, CallBudget budget) {
        BulkOutcome<K> outcome = inSlices(keys, puts, some -> putAllBlind(some, budget));
        publisher.counters().puts(outcome.done());
        failed.publishAll(outcome, valueOf, budget);
        outcome.throwAny(calls.failures(), "putAll");
    }

    AsyncCalls.Parts<@Nullable Void> removeAll(Set<? extends K> keys) {
        calls.checkBatch(keys.size());
        return removePage(List.copyOf(keys));
    }

    /** As {@link #removeAll}, without a limit for the number of keys. */
    private AsyncCalls.OneCommand<@Nullable Void> removePage(List<K> keys) {
        List<EncodedKey> encoded = calls.encodeAll(keys);
        if (!updates.isUnheard()) {
            return AsyncCalls.OneCommand.none(() -> {
                removeEach(keys, encoded);
                return null;
            });
        }
        CallBudget budget = calls.budgetFor("removeAll", keys.size());
        Supplier<@Nullable Void> rest = () -> {
            BulkOutcome<K> outcome = inSlices(keys, encoded, some -> removeAllBlind(some, budget));
            failed.publishAll(outcome, key -> null, budget);
            outcome.throwAny(calls.failures(), "removeAll");
            return null;
        };
        if (updates.writer().isOn() || keys.size() > EntryCalls.MOST_IN_FLIGHT) {
            return AsyncCalls.OneCommand.none(rest);
        }
        List<Command.GetAndRemove> removals =
                encoded.stream().map(Command.GetAndRemove::new).toList();
        return new AsyncCalls.OneCommand<>(() -> store.calls().getAndRemoveAllAhead(removals, budget), rest, true);
    }

    private void removeEach(List<K> keys, List<EncodedKey> encoded) {
        List<EntryChange<K, V>> wanted = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            wanted.add(new EntryChange<>(keys.get(i), encoded.get(i), null, rules));
        }
        changed("removeAll", wanted, key -> null).throwAny(calls.failures(), "removeAll");
    }

    /** Makes changes that do not read old values, at most as many at a time as the writer's queue takes. */
    private <T> BulkOutcome<K> inSlices(
            List<K> keys, List<T> changes, Function<List<T>, List<@Nullable KeyslotException>> change) {
        BulkOutcome<K> outcome = new BulkOutcome<>();
        int from = 0;
        try {
            for (List<T> some : Slices.of(changes, updates.writer().mostAtOnce())) {
                outcome.addEach(keys.subList(from, from + some.size()), change.apply(some));
                from += some.size();
            }
        } catch (CacheOverloadedException | CallInterruptedException full) {
            outcome.addAll(keys.subList(from, keys.size()), full); // there is no more time for the keys behind it
        }
        return outcome;
    }

    private BulkOutcome<K> changed(String operation, List<EntryChange<K, V>> wanted, Function<K, @Nullable V> valueOf) {
        WriteThroughUpdate<K, V> writerFirst = updates.writerFirst();
        if (writerFirst != null && !wanted.isEmpty()) {
            return writerFirst.changeAll(operation, wanted, failed.areJournaled());
        }
        wanted.forEach(this::check); // if a value exceeds a limit, nothing is written
        CallBudget budget = calls.budgetFor(operation, wanted.size());
        BulkOutcome<K> outcome = new BulkOutcome<>();
        for (int i = 0; i < wanted.size(); i++) {
            EntryChange<K, V> change = wanted.get(i);
            try (OutboxEntry place = updates.writer().reserve(change.encoded(), budget)) {
                outcome.attempt(change.key(), () -> exchange(operation, change));
            } catch (CacheOverloadedException | CallInterruptedException full) {
                List<EntryChange<K, V>> rest = wanted.subList(i, wanted.size());
                outcome.addAll(rest.stream().map(EntryChange::key).toList(), full);
                break;
            }
        }
        failed.publishAll(outcome, valueOf, budget);
        return outcome;
    }

    private void exchange(String operation, EntryChange<K, V> change) {
        boolean wasThere = updates.exchange(operation, change, false).isPresent();
        if (change.value() == null) {
            publisher.counters().removals(wasThere ? 1 : 0);
        }
    }

    /** Removes stored keys, whatever is stored under them, and passes on how many. */
    private AsyncCalls.OneCommand<@Nullable Void> removeSilently(
            String operation, List<EncodedKey> keys, LongConsumer removed) {
        CallBudget budget = calls.budgetFor(operation, keys.size());
        Supplier<@Nullable Void> rest = () -> {
            BulkOutcome<EncodedKey> outcome = new BulkOutcome<>();
            outcome.addEach(keys, store.removeAll(keys, budget));
            removed.accept(outcome.done());
            outcome.throwAny(calls.failures(), operation);
            return null;
        };
        return new AsyncCalls.OneCommand<>(() -> store.calls().removeAllAhead(keys, budget), rest, true);
    }

    /** Removes all entries, in the cache and by the writer. */
    AsyncCalls.Parts<@Nullable Void> removeAll() {
        boolean isHeard = !updates.isUnheard() || updates.writer().isOn();
        if (isHeard) {
            calls.requireReadableKeys("removeAll with listeners or a writer");
        }
        return new Clearing(
                "removeAll",
                failure -> !updates.writer().isOn() && failed.goesOnWithout(failure),
                isHeard
                        ? this::removeHeard
                        : page -> removeSilently("removeAll", page, publisher.counters()::removals));
    }

    private AsyncCalls.OneCommand<@Nullable Void> removeHeard(List<EncodedKey> page) {
        return AsyncCalls.OneCommand.none(() -> {
            Set<K> keys = new LinkedHashSet<>();
            List<EncodedKey> foreign = new ArrayList<>();
            for (EncodedKey encoded : page) {
                K key = calls.decodeOrNull(encoded);
                if (key == null) {
                    foreign.add(encoded);
                } else {
                    keys.add(key);
                }
            }
            if (!foreign.isEmpty()) {
                removeSilently("removeAll", foreign, removed -> {}).result();
            }
            return removePage(List.copyOf(keys)).result();
        });
    }

    /** Removes all entries without events and without the writer. */
    AsyncCalls.Parts<@Nullable Void> clear() {
        return clear("clear", failed::goesOnWithout);
    }

    /** As {@link #clear}, but what an interrupted thread does not remove is removed in the background, too. */
    AsyncCalls.Parts<@Nullable Void> clearNowOrLater() {
        return clear(
                "clear",
                failure ->
                        failed.goesOnWithout(failure) || (failed.areJournaled() && Failures.isInterruption(failure)));
    }

    /** As {@link #clear}, but throws whatever the policy. */
    AsyncCalls.Parts<@Nullable Void> destroy() {
        return clear("destroyCache", failure -> false);
    }

    private AsyncCalls.Parts<@Nullable Void> clear(String operation, Predicate<Throwable> isLater) {
        return new Clearing(operation, isLater, page -> removeSilently(operation, page, removed -> {}));
    }

    /**
     * Removes all keys that the partitions have. Each part lists or removes one page. Failures of partitions and of
     * removals do not stop it, and are thrown at its end. If {@code isLater} accepts one, the entries of that partition are
     * removed in the background.
     */
    private final class Clearing implements AsyncCalls.Parts<@Nullable Void> {
        private final String operation;
        private final Predicate<Throwable> isLater;
        private final Function<List<EncodedKey>, AsyncCalls.OneCommand<@Nullable Void>> removing;
        private final KeyScan.Walk walk = scan.walkStored();
        private final Set<PartitionId> later = new HashSet<>();
        private PartitionId partition = walk.partition();
        private AsyncCalls.@Nullable OneCommand<@Nullable Void> removal;
        private @Nullable CallBudget budget;
        private @Nullable CacheException failure;

        Clearing(
                String operation,
                Predicate<Throwable> isLater,
                Function<List<EncodedKey>, AsyncCalls.OneCommand<@Nullable Void>> removing) {
            this.operation = operation;
            this.isLater = isLater;
            this.removing = removing;
            store.calls().clearing();
        }

        @Override
        public CompletableFuture<?> send() {
            if (removal != null) {
                return removal.send();
            }
            budget = calls.budget(operation);
            return walk.sendAhead(budget);
        }

        @Override
        public boolean goOn() {
            try {
                if (removal == null) {
                    list();
                } else {
                    AsyncCalls.OneCommand<@Nullable Void> now = removal;
                    removal = null;
                    now.result();
                }
            } catch (CacheException e) {
                if (isLater.test(e) && later.add(partition)) {
                    scan.router().clearLater(partition, scan.prefix(), scan.asOfCache());
                }
                failure = Closing.joined(failure, e);
            }
            return removal == null && !walk.hasNext();
        }

        private void list() {
            CallBudget times = budget == null ? calls.budget(operation) : budget;
            budget = null;
            partition = walk.partition();
            List<EncodedKey> page;
            try {
                page = walk.next(times);
            } catch (KeyslotException e) {
                walk.passOver();
                throw e;
            }
            removal = page.isEmpty() ? null : removing.apply(page);
        }

        @Override
        @SuppressWarnings("NullAway") // its only value is null
        public @Nullable Void result() {
            if (near != null) {
                near.clear();
            }
            if (failure != null) {
                failed.goOnAfter(failure, isLater);
            }
            return null;
        }

        /** Also while it lists keys, so that a cancelled stage does not leave a cache half cleared. */
        @Override
        public boolean isChange() {
            return true;
        }
    }

    void check(EntryChange<K, V> change) {
        V value = change.value();
        if (value != null) {
            store.coder().encode(change.encoded(), value, 0);
        }
    }

    /** Stores a value with one command, if the old value is not needed and no writer is called first. */
    private void putBlind(Command.Put put, CallBudget budget) {
        try (OutboxEntry outboxEntry = updates.writer().reserve(put.key(), budget)) {
            outboxEntry.begin();
            try {
                store.put(put, budget);
                outboxEntry.settle(put.key(), put.envelope(), null);
            } catch (KeyslotException e) {
                outboxEntry.settle(put.key(), put.envelope(), e);
                throw e;
            }
        }
        publisher.counters().puts(1);
    }

    /** As {@link #putBlind}, for many entries; returns the failure of each, or null, in their order. */
    List<@Nullable KeyslotException> putAllBlind(List<Command.Put> puts, CallBudget budget) {
        try (OutboxEntry outboxEntry = reserveAll(puts, Command.Put::key, budget)) {
            outboxEntry.begin();
            List<@Nullable KeyslotException> problems = store.putAll(puts, budget);
            for (int i = 0; i < puts.size(); i++) {
                outboxEntry.settle(puts.get(i).key(), puts.get(i).envelope(), problems.get(i));
            }
            return problems;
        }
    }

    private <T> OutboxEntry reserveAll(List<T> changes, Function<T, EncodedKey> keyOf, CallBudget budget) {
        return updates.writer().isOn()
                ? updates.writer().reserveAll(changes.stream().map(keyOf).toList(), budget)
                : OutboxEntry.NONE;
    }

    Command.Put encodePut(EncodedKey encoded, V value, ExpiryRules expiry) {
        Expiry creation = expiry.onCreation().orElseThrow();
        Expiry update = expiry.onUpdate().orElseThrow();
        return new Command.Put(
                encoded,
                store.coder().encode(encoded, value, updates.lifetimes().freshUntil(creation)),
                updates.lifetimes().kept(creation),
                updates.lifetimes().kept(update));
    }

    Answer<V> getAndRemove(EncodedKey encoded, CallBudget budget) {
        try (OutboxEntry outboxEntry = updates.writer().reserve(encoded, budget)) {
            outboxEntry.begin();
            Answer<V> removed = store.getAndRemove(encoded, budget);
            outboxEntry.settle(encoded, null, removed.failure());
            return removed.orThrow();
        }
    }

    /**
     * As {@link #getAndRemove}, for many entries; counts them, and returns the failure of each, or null, in their
     * order.
     */
    List<@Nullable KeyslotException> removeAllBlind(List<EncodedKey> keys, CallBudget budget) {
        List<@Nullable KeyslotException> problems = new ArrayList<>(keys.size());
        int removals = 0;
        try (OutboxEntry outboxEntry = reserveAll(keys, Function.identity(), budget)) {
            outboxEntry.begin();
            List<Answer<V>> removed = store.getAndRemoveAll(keys, budget);
            for (int i = 0; i < keys.size(); i++) {
                Answer<V> answer = removed.get(i);
                outboxEntry.settle(keys.get(i), null, answer.failure());
                problems.add(answer.failure());
                removals += answer.isPresent() ? 1 : 0;
            }
        }
        publisher.counters().removals(removals);
        return problems;
    }

    /** The result of comparing an entry with the expected value of a caller, by {@code equals} and never by bytes. */
    private enum ValueComparison {
        EQUAL,
        OTHER,
        ABSENT;

        static <V> ValueComparison of(Answer<V> current, V expected) {
            if (!current.isPresent()) {
                return ABSENT;
            }
            return expected.equals(current.value()) ? EQUAL : OTHER;
        }
    }
}

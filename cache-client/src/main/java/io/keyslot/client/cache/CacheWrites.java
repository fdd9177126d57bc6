// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.cache.WriteThroughUpdate.EntryChange;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Slices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * Stores, replaces and removes single and many entries, and counts these operations. Bulk operations are not atomic:
 * done changes stay if others fail, and the exception names the failed keys. Thread-safe.
 */
public record CacheWrites<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EventPublisher<K, V> publisher,
        EntryUpdates<K, V> updates,
        DirectUpdate<K, V> direct,
        ChangeWriter<K, V> writer,
        FailedWrites<K, V> failed,
        ExpiryRules rules,
        KeyScan scan,
        @Nullable NearCache<K, V> near) {

    boolean reportsOutages() {
        return !failed.areJournaled();
    }

    void forget(K key) {
        failed.forget(key);
    }

    public void put(K key, V value, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rules.withTimeToLive(timeToLive);
        try {
            if (updates.mayBeBlind(expiry)) {
                direct.putBlind(key, value, expiry);
            } else {
                if (failed.areJournaled()) {
                    direct.check(value); // a value over a limit is refused even if the partition is missing
                }
                updates.exchange("put", wanted(key, value, expiry), failed.areJournaled());
            }
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.handle(key, value, e);
        }
    }

    private EntryChange<K, V> wanted(K key, @Nullable V value, ExpiryRules expiry) {
        return new EntryChange<>(key, calls.encode(key), value, expiry);
    }

    public boolean putIfAbsent(K key, V value, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rules.withTimeToLive(timeToLive);
        CallBudget budget = calls.budget("putIfAbsent");
        boolean isOneCommand = expiry.isConstant() && !writer.isOn();
        boolean stored =
                isOneCommand && direct.add(key, value, expiry.onCreation().orElseThrow(), budget);
        if (!stored) {
            // The partition sees unreadable bytes and stale entries as entries, but here they count as absent.
            stored = updates.change(
                    "putIfAbsent",
                    key,
                    expiry,
                    (current, left) -> current.isPresent() ? Step.keep(false) : Step.set(value, true),
                    budget);
        }
        publisher.counters().lookup(!stored);
        return stored;
    }

    @Nullable
    public V getAndPut(K key, V value) {
        Answer<V> before = updates.exchange("getAndPut", wanted(key, value, rules), false);
        publisher.counters().lookup(before.isPresent());
        return before.value();
    }

    public boolean replace(K key, V value) {
        return replaced("replace", key, value).isPresent();
    }

    @Nullable
    public V getAndReplace(K key, V value) {
        return replaced("getAndReplace", key, value).value();
    }

    private Answer<V> replaced(String operation, K key, V value) {
        Answer<V> before = updates.change(
                operation,
                key,
                rules,
                (current, left) -> current.isPresent() ? Step.set(value, current) : Step.keep(current));
        publisher.counters().lookup(before.isPresent());
        return before;
    }

    public boolean replace(K key, V oldValue, V newValue) {
        return ifEqual("replace", key, oldValue, newValue);
    }

    public boolean remove(K key, V oldValue) {
        boolean removed = ifEqual("remove", key, oldValue, null);
        publisher.counters().removals(removed ? 1 : 0);
        return removed;
    }

    /** Stores a value, or removes the entry if {@code value} is null, if the present value equals the expected one. */
    private boolean ifEqual(String operation, K key, V expected, @Nullable V value) {
        ValueComparison result = updates.change(operation, key, rules, (current, left) -> {
            ValueComparison comparison = ValueComparison.of(current, expected);
            return switch (comparison) {
                case EQUAL -> value == null ? Step.remove(comparison) : Step.set(value, comparison);
                case OTHER -> Step.touch(comparison);
                case ABSENT -> Step.keep(comparison);
            };
        });
        publisher.counters().lookup(result != ValueComparison.ABSENT);
        return result == ValueComparison.EQUAL;
    }

    public boolean remove(K key) {
        boolean removed;
        try {
            removed = removed("remove", key, failed.areJournaled()).isPresent();
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.handle(key, null, e);
            removed = false; // unknown; a cache that has evicted the entry returns false as well
        }
        publisher.counters().removals(removed ? 1 : 0);
        return removed;
    }

    @Nullable
    public V getAndRemove(K key) {
        Answer<V> removed = removed("getAndRemove", key, false);
        publisher.counters().lookup(removed.isPresent());
        publisher.counters().removals(removed.isPresent() ? 1 : 0);
        return removed.value();
    }

    private Answer<V> removed(String operation, K key, boolean goesOn) {
        return updates.isUnheard()
                ? direct.getAndRemove(operation, key)
                : updates.exchange(operation, wanted(key, null, rules), goesOn);
    }

    public void putAll(Map<? extends K, ? extends V> map, @Nullable Duration timeToLive) {
        ExpiryRules expiry = rules.withTimeToLive(timeToLive);
        calls.checkBatch(map.size());
        if (updates.mayBeBlind(expiry)) {
            putAllBlind(map, expiry);
            return;
        }
        List<EntryChange<K, V>> wanted = new ArrayList<>(map.size());
        map.forEach((key, value) -> wanted.add(new EntryChange<>(key, calls.encode(key), value, expiry)));
        BulkOutcome<K> outcome = changed("putAll", wanted, map::get);
        outcome.throwAny(calls.failures(), "putAll");
    }

    private void putAllBlind(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        List<K> keys = new ArrayList<>(map.size());
        List<Command.Put> puts = new ArrayList<>(map.size());
        map.forEach((key, value) -> {
            keys.add(key);
            puts.add(direct.encodePut(calls.encode(key), value, expiry));
        });
        CallBudget budget = calls.budgetFor("putAll", puts.size());
        BulkOutcome<K> outcome = inSlices(keys, puts, some -> direct.putAllBlind(some, budget));
        publisher.counters().puts(outcome.done());
        failed.publishAll(outcome, map::get, budget);
        outcome.throwAny(calls.failures(), "putAll");
    }

    public void removeAll(Set<? extends K> keys) {
        calls.checkBatch(keys.size());
        removePage(List.copyOf(keys));
    }

    /** As {@link #removeAll}, without a limit for the number of keys. */
    private void removePage(List<K> keys) {
        List<EncodedKey> encoded = calls.encodeAll(keys);
        BulkOutcome<K> outcome;
        if (updates.isUnheard()) {
            CallBudget budget = calls.budgetFor("removeAll", keys.size());
            outcome = inSlices(keys, encoded, some -> direct.removeAllBlind(some, budget));
            failed.publishAll(outcome, key -> null, budget);
        } else {
            List<EntryChange<K, V>> wanted = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                wanted.add(new EntryChange<>(keys.get(i), encoded.get(i), null, rules));
            }
            outcome = changed("removeAll", wanted, key -> null);
        }
        outcome.throwAny(calls.failures(), "removeAll");
    }

    /** Makes changes that do not read old values, at most as many at a time as the writer's queue takes. */
    private <T> BulkOutcome<K> inSlices(
            List<K> keys, List<T> changes, Function<List<T>, List<@Nullable KeyslotException>> change) {
        BulkOutcome<K> outcome = new BulkOutcome<>();
        int from = 0;
        try {
            for (List<T> some : Slices.of(changes, writer.mostAtOnce())) {
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
        wanted.forEach(change -> direct.check(change.value())); // if a value exceeds a limit, nothing is written
        CallBudget budget = calls.budgetFor(operation, wanted.size());
        BulkOutcome<K> outcome = new BulkOutcome<>();
        for (int i = 0; i < wanted.size(); i++) {
            EntryChange<K, V> change = wanted.get(i);
            try (OutboxEntry<EncodedKey, Envelope> place = writer.reserve(change.encoded(), budget)) {
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

    /**
     * Removes entries without events, with the locks of keys with listeners, so that no other process seems to remove
     * them.
     */
    private void removeSilently(String operation, List<EncodedKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        BulkOutcome<EncodedKey> outcome = new BulkOutcome<>();
        try (KeyedQueues.Standing turn =
                publisher.hasListeners() ? publisher.queues().enter(keys) : null) {
            outcome.addEach(keys, store.removeAll(keys, calls.budgetFor(operation, keys.size())));
        }
        outcome.throwAny(calls.failures(), operation);
    }

    /** Removes all entries, in the cache and by the writer. */
    public void removeAll() {
        forEachPage("removeAll", page -> {
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
            removeSilently("removeAll", foreign);
            removePage(List.copyOf(keys));
        });
    }

    /** Removes all entries without events and without the writer. */
    public void clear(String operation) {
        forEachPage(operation, page -> removeSilently(operation, page));
    }

    /** As {@link #clear}; entries of a failed partition are removed in the background. Returns the failure, or null. */
    @Nullable
    CacheException clearOrLater(String operation) {
        store.calls().clearing();
        try {
            return scan.forEachPageOrLater(operation, page -> removeSilently(operation, page));
        } finally {
            clearNear();
        }
    }

    private void forEachPage(String operation, Consumer<List<EncodedKey>> removal) {
        store.calls().clearing();
        try {
            scan.forEachPage(operation, removal);
        } finally {
            clearNear();
        }
    }

    private void clearNear() {
        if (near != null) {
            near.clear();
        }
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.EntryChange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Stores, replaces and removes single entries, and counts these operations. */
public final class Writes<K, V> {
    private final CacheCalls<K> calls;
    private final EventPublisher<K, V> publisher;
    private final Changes<K, V> changes;
    private final DirectUpdate<K, V> cacheFirst;
    private final FailedWrites<K, V> failed;
    private final ExpiryRules rules;

    public Writes(
            CacheCalls<K> calls,
            EventPublisher<K, V> publisher,
            Changes<K, V> changes,
            FailedWrites<K, V> failed,
            ExpiryRules rules) {
        this.calls = calls;
        this.publisher = publisher;
        this.changes = changes;
        this.cacheFirst = changes.cacheFirst();
        this.failed = failed;
        this.rules = rules;
    }

    boolean reportsOutages() {
        return !failed.areJournaled();
    }

    void forget(K key) {
        failed.forget(key);
    }

    public EventPublisher<K, V> publisher() {
        return publisher;
    }

    public ChangeWriter<K, V> writer() {
        return cacheFirst.writer();
    }

    public void put(K key, V value) {
        put(key, value, rules);
    }

    public void put(K key, V value, Duration timeToLive) {
        put(key, value, rules.withTimeToLive(timeToLive));
    }

    private void put(K key, V value, ExpiryRules expiry) {
        try {
            if (changes.mayBeBlind(expiry)) {
                cacheFirst.putBlind(key, value, expiry);
            } else {
                if (failed.areJournaled()) {
                    cacheFirst.check(value); // a value over a limit is refused even if the partition is missing
                }
                changes.exchange("put", wanted(key, value, expiry), failed.areJournaled());
            }
        } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
            failed.tell(key, value, e);
        }
    }

    private EntryChange<K, V> wanted(K key, @Nullable V value, ExpiryRules expiry) {
        return new EntryChange<>(key, calls.encode(key), value, expiry);
    }

    public boolean putIfAbsent(K key, V value) {
        return putIfAbsent(key, value, rules);
    }

    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        return putIfAbsent(key, value, rules.withTimeToLive(timeToLive));
    }

    private boolean putIfAbsent(K key, V value, ExpiryRules expiry) {
        CallBudget budget = calls.budget("putIfAbsent");
        boolean isOneCommand = expiry.isConstant() && !writer().isOn();
        boolean stored =
                isOneCommand && cacheFirst.add(key, value, expiry.onCreation().orElseThrow(), budget);
        if (!stored) {
            // The partition sees unreadable bytes and stale entries as entries, but here they count as absent.
            stored = changes.change(
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
        Answer<V> before = changes.exchange("getAndPut", wanted(key, value, rules), false);
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
        Answer<V> before = changes.change(
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
        ValueComparison result = changes.change(operation, key, rules, (current, left) -> {
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
            failed.tell(key, null, e);
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
        return changes.isUnheard()
                ? cacheFirst.getAndRemove(operation, key)
                : changes.exchange(operation, wanted(key, null, rules), goesOn);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.writing.BulkOutcome;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.EntryChange;
import io.keyslot.client.writing.OutboxEntry;
import io.keyslot.client.writing.WriteThroughUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes many entries, not atomically: done changes stay if others fail. The exception names the failed keys. */
public final class BulkChanges<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final EventPublisher<K, V> publisher;
    private final Changes<K, V> changes;
    private final DirectUpdate<K, V> cacheFirst;
    private final ChangeWriter<K, V> writer;
    private final FailedWrites<K, V> failed;
    private final ExpiryRules rules;

    public BulkChanges(
            CacheCalls<K> calls,
            EntryStore<V> store,
            EventPublisher<K, V> publisher,
            Changes<K, V> changes,
            FailedWrites<K, V> failed,
            ExpiryRules rules) {
        this.calls = calls;
        this.store = store;
        this.publisher = publisher;
        this.changes = changes;
        this.cacheFirst = changes.cacheFirst();
        this.writer = cacheFirst.writer();
        this.failed = failed;
        this.rules = rules;
    }

    public void putAll(Map<? extends K, ? extends V> map) {
        putAll(map, rules);
    }

    public void putAll(Map<? extends K, ? extends V> map, Duration timeToLive) {
        putAll(map, rules.withTimeToLive(timeToLive));
    }

    private void putAll(Map<? extends K, ? extends V> map, ExpiryRules expiry) {
        calls.checkBatch(map.size());
        if (changes.mayBeBlind(expiry)) {
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
            puts.add(cacheFirst.encodePut(calls.encode(key), value, expiry));
        });
        CallBudget budget = calls.budgetFor("putAll", puts.size());
        BulkOutcome<K> outcome = inSlices(keys, puts, some -> cacheFirst.putAllBlind(some, budget));
        publisher.counters().puts(outcome.done());
        failed.publishAll(outcome, map::get, budget);
        outcome.throwAny(calls.failures(), "putAll");
    }

    public void removeAll(Set<? extends K> keys) {
        calls.checkBatch(keys.size());
        removePage(List.copyOf(keys));
    }

    /** As {@link #removeAll}, without a limit for the number of keys. */
    void removePage(List<K> keys) {
        List<EncodedKey> encoded = calls.encodeAll(keys);
        BulkOutcome<K> outcome;
        if (changes.isUnheard()) {
            CallBudget budget = calls.budgetFor("removeAll", keys.size());
            outcome = inSlices(keys, encoded, some -> cacheFirst.removeAllBlind(some, budget));
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
        WriteThroughUpdate<K, V> writerFirst = changes.writerFirst();
        if (writerFirst != null && !wanted.isEmpty()) {
            return writerFirst.changeAll(operation, wanted, failed.areJournaled());
        }
        wanted.forEach(change -> cacheFirst.check(change.value())); // if a value exceeds a limit, nothing is written
        CallBudget budget = calls.budgetFor(operation, wanted.size());
        BulkOutcome<K> outcome = new BulkOutcome<>();
        for (int i = 0; i < wanted.size(); i++) {
            EntryChange<K, V> change = wanted.get(i);
            try (OutboxEntry place = writer.reserve(change.encoded(), budget)) {
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
        boolean wasThere = changes.exchange(operation, change, false).isPresent();
        if (change.value() == null) {
            publisher.counters().removals(wasThere ? 1 : 0);
        }
    }

    /**
     * Removes entries without events, with the locks of keys with listeners, so that no other process seems to remove
     * them.
     */
    void removeSilently(String operation, List<EncodedKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        BulkOutcome<EncodedKey> outcome = new BulkOutcome<>();
        try (KeyedQueues.Standing turn = publisher.hasListeners() ? publisher.enter(keys) : null) {
            outcome.addEach(keys, store.removeAll(keys, calls.budgetFor(operation, keys.size())));
        }
        outcome.throwAny(calls.failures(), operation);
    }
}

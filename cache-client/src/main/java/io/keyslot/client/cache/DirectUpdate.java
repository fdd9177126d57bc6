// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.cache.WriteThroughUpdate.EntryChange;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries of a cache without write-through; a write-behind writer receives the changes afterwards. Counts puts
 * and publishes changes to listeners. Thread-safe.
 */
public record DirectUpdate<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EventPublisher<K, V> publisher,
        ChangeWriter<K, V> writer,
        Lifetimes lifetimes) {
    void check(@Nullable V value) {
        if (value != null) {
            store.coder().encode(value, 0);
        }
    }

    /** A change as it is sent. {@code wanted} is empty for no entry: a value that expires at once is never visible. */
    record Prepared<K, V>(
            EntryChange<K, V> change,
            Optional<Expiry> wanted,
            @Nullable Envelope envelope) {
        EncodedKey key() {
            return change.encoded();
        }
    }

    /** Encodes the value and calls the expiry policy, which may fail, before anything is changed. */
    Prepared<K, V> prepare(EntryChange<K, V> change, Answer<V> current) {
        V value = change.value();
        Optional<Expiry> wanted = value == null ? Optional.empty() : change.expiryAfter(current.isPresent());
        long freshUntil =
                wanted.map(lasting -> lifetimes.freshUntil(lasting, current)).orElse(0L);
        return new Prepared<>(
                change, wanted, value == null ? null : store.coder().encode(value, freshUntil));
    }

    /**
     * Changes an entry if it has the expected stamp; returns whether it had. A loaded value comes from the source of
     * the writer, and is not a put.
     */
    boolean changeExpected(
            Prepared<K, V> prepared, boolean isLoaded, Answer<V> current, long expected, CallBudget budget) {
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry =
                isLoaded ? OutboxEntry.none() : writer.reserve(prepared.key(), budget)) {
            if (!exchange(outboxEntry, prepared, expected, budget)) {
                return false;
            }
        }
        K key = prepared.change().key();
        V value = prepared.change().value();
        if (value == null) {
            publisher.removed(key, current);
        } else if (prepared.wanted().isPresent() && isLoaded) {
            publisher.stored(key, value, current);
        } else if (prepared.wanted().isPresent()) {
            publisher.put(key, value, current);
        }
        return true;
    }

    private boolean exchange(
            OutboxEntry<EncodedKey, Envelope> outboxEntry, Prepared<K, V> prepared, long expected, CallBudget budget) {
        EncodedKey key = prepared.key();
        Envelope envelope = prepared.envelope();
        outboxEntry.begin();
        try {
            boolean applied = exchange(prepared, expected, budget);
            if (applied) {
                outboxEntry.settle(key, envelope, null);
            }
            return applied;
        } catch (KeyslotException e) {
            outboxEntry.settle(key, envelope, e);
            throw e;
        }
    }

    private boolean exchange(Prepared<K, V> prepared, long expected, CallBudget budget) {
        EncodedKey key = prepared.key();
        Envelope envelope = prepared.envelope();
        if (envelope == null || prepared.wanted().isEmpty()) {
            // Without an entry, there may be the lease of a load that has read the value before its removal.
            return store.compareAndRemove(key, expected, budget);
        }
        boolean applied = store.compareAndSet(
                key, expected, envelope, lifetimes.kept(prepared.wanted().get()), budget);
        if (applied) {
            store.assume(key, expected, envelope);
        }
        return applied;
    }

    /** Stores a value with one command if there is no entry, without the writer; it must not expire at once. */
    boolean add(K key, V value, Expiry expiry, CallBudget budget) {
        EncodedKey encoded = calls.encode(key);
        Envelope envelope = store.coder().encode(value, lifetimes.freshUntil(expiry));
        try (KeyedQueues.Standing turn =
                publisher.hasListeners() ? publisher.queues().enter(encoded) : null) {
            boolean added = store.compareAndSet(encoded, Command.ABSENT, envelope, lifetimes.kept(expiry), budget);
            if (added) {
                publisher.put(key, value, Answer.without(Answer.Kind.ABSENT));
            }
            return added;
        }
    }

    /** Returns whether a value is stored in the same way whether or not there is an entry. */
    boolean mayBeBlind(ExpiryRules expiry) {
        return expiry.isConstant()
                && (!lifetimes.areTracked() || expiry.onCreation().equals(expiry.onUpdate()));
    }

    /** Stores a value with one command, if the old value is not needed and no writer is called first. */
    void putBlind(K key, V value, ExpiryRules expiry) {
        Command.Put put = encodePut(calls.encode(key), value, expiry);
        CallBudget budget = calls.budget("put");
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserve(put.key(), budget)) {
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
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry = reserveAll(puts, Command.Put::key, budget)) {
            outboxEntry.begin();
            List<@Nullable KeyslotException> problems = store.putAll(puts, budget);
            for (int i = 0; i < puts.size(); i++) {
                outboxEntry.settle(puts.get(i).key(), puts.get(i).envelope(), problems.get(i));
            }
            return problems;
        }
    }

    private <T> OutboxEntry<EncodedKey, Envelope> reserveAll(
            List<T> changes, Function<T, EncodedKey> keyOf, CallBudget budget) {
        return writer.isOn() ? writer.reserveAll(changes.stream().map(keyOf).toList(), budget) : OutboxEntry.none();
    }

    Command.Put encodePut(EncodedKey encoded, V value, ExpiryRules expiry) {
        Expiry creation = expiry.onCreation().orElseThrow();
        Expiry update = expiry.onUpdate().orElseThrow();
        return new Command.Put(
                encoded,
                store.coder().encode(value, lifetimes.freshUntil(creation)),
                lifetimes.kept(creation),
                lifetimes.kept(update));
    }

    /** Removes an entry without an event; returns the old entry. */
    Answer<V> getAndRemove(String operation, K key) {
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget(operation);
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry = writer.reserve(encoded, budget)) {
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
        try (OutboxEntry<EncodedKey, Envelope> outboxEntry = reserveAll(keys, Function.identity(), budget)) {
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
}

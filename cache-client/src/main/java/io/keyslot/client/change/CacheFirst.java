// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.expiry.Lifetimes;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.Handover;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes an entry of a cache without a writer that comes first: one that comes second hears of what was changed. Counts what
 * it puts, and tells the listeners. Safe for use by several threads.
 */
public final class CacheFirst<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final ChangeTeller<K, V> told;
    private final ChangeWriter<K, V> writer;
    private final Lifetimes lifetimes;

    public CacheFirst(
            CacheCalls<K> calls,
            EntryStore<V> store,
            ChangeTeller<K, V> told,
            ChangeWriter<K, V> writer,
            Lifetimes lifetimes) {
        this.calls = calls;
        this.store = store;
        this.told = told;
        this.writer = writer;
        this.lifetimes = lifetimes;
    }

    /** Returns who hears of changes besides the cache. */
    ChangeWriter<K, V> writer() {
        return writer;
    }

    /** Returns whether there is a writer, first or second. */
    boolean hasWriter() {
        return writer.isOn();
    }

    /** Refuses a value that is over a limit, before anything is changed. */
    void check(V value) {
        store.encode(value);
    }

    boolean set(K key, EncodedKey encoded, ExpiryRules expiry, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        V value = Objects.requireNonNull(step.value(), "value");
        Optional<Expiry> wanted = current.isPresent() ? expiry.onUpdate() : expiry.onCreation();
        long freshUntil =
                wanted.map(lasting -> lifetimes.freshUntil(lasting, current)).orElse(0L);
        Envelope envelope = store.encode(value, freshUntil);
        long expected = step.expectedOf(current);
        Handover handover = step.kind() == Step.Kind.SET_LOADED
                ? Handover.DONE
                : Objects.requireNonNullElseGet(
                        step.handover(), () -> writer.write(key, value, encoded, envelope, budget));
        boolean applied = wanted.isEmpty()
                // A value that expires at once is never seen: nothing is created, and what was there is gone.
                ? handover.around(() -> store.compareAndRemove(encoded, expected, budget))
                : handover.around(
                        () -> store.compareAndSet(encoded, expected, envelope, lifetimes.kept(wanted.get()), budget));
        if (!applied || wanted.isEmpty()) {
            return applied;
        }
        if (step.kind() == Step.Kind.SET_LOADED) {
            told.stored(key, value, current);
        } else {
            told.put(key, value, current);
        }
        return true;
    }

    boolean remove(K key, EncodedKey encoded, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        Handover handover = Objects.requireNonNullElseGet(step.handover(), () -> writer.delete(key, encoded, budget));
        // Where there is no entry, there may be the lease of a loader that has seen the value before it was deleted.
        long expected = step.expectedOf(current);
        if (!handover.around(() -> store.compareAndRemove(encoded, expected, budget))) {
            return false;
        }
        told.removed(key, current);
        return true;
    }

    /**
     * Stores a value with one command if there is no entry; returns whether it did. Neither asks the writer nor counts.
     *
     * @param expiry never at once
     */
    boolean add(K key, V value, Expiry expiry, CallBudget budget) {
        EncodedKey encoded = calls.encode(key);
        Envelope envelope = store.encode(value, lifetimes.freshUntil(expiry));
        return told.inTurnIfHeard(encoded, () -> add(key, value, encoded, envelope, expiry, budget));
    }

    private boolean add(K key, V value, EncodedKey encoded, Envelope envelope, Expiry expiry, CallBudget budget) {
        boolean added = store.compareAndSet(encoded, Command.ABSENT, envelope, lifetimes.kept(expiry), budget);
        if (added) {
            told.stored(key, value, Answer.without(Answer.Kind.ABSENT));
        }
        return added;
    }

    /** Returns whether an entry may be stored and removed without knowing what was there. */
    boolean mayBeBlind(ExpiryRules expiry) {
        return expiry.isConstant()
                && !told.isHeard()
                && (!lifetimes.areTracked() || expiry.onCreation().equals(expiry.onUpdate()));
    }

    /** Stores a value with one command, if nobody needs to know what was there, and no writer comes first. */
    void putBlind(K key, V value, ExpiryRules expiry) {
        Command.Put put = encodePut(calls.encode(key), value, expiry);
        CallBudget budget = calls.budget("put");
        writer.write(key, value, put.key(), put.envelope(), budget).around(() -> {
            store.put(put, budget);
            return true;
        });
        told.counters().puts(1);
    }

    /** Encodes a value for a write that does not need to know what was there. */
    Command.Put encodePut(EncodedKey encoded, V value, ExpiryRules expiry) {
        Expiry creation = expiry.onCreation().orElseThrow();
        Expiry update = expiry.onUpdate().orElseThrow();
        return new Command.Put(
                encoded,
                store.encode(value, lifetimes.freshUntil(creation)),
                lifetimes.kept(creation),
                lifetimes.kept(update));
    }

    /** Removes an entry of which no listener hears; returns what was there. */
    Answer<V> getAndRemove(String operation, K key) {
        EncodedKey encoded = calls.encode(key);
        CallBudget budget = calls.budget(operation);
        return writer.delete(key, encoded, budget)
                .around(() -> store.getAndRemove(encoded, budget).orThrow(), removed -> true);
    }
}

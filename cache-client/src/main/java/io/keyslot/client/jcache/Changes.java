// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.event.EventType;

/**
 * Changes one entry by what it is: reads value and stamp, decides, and applies the decision if the stamp is still the
 * same; otherwise reads and decides again. So each change is atomic against those of every other process, without a lock.
 * Counts what it puts.
 */
final class Changes<K, V> {
    private final CacheParts<K, V> parts;
    private final Teller<K, V> teller;
    private final WriterFirst<K, V> writerFirst;

    Changes(CacheParts<K, V> parts, Teller<K, V> teller, WriterFirst<K, V> writerFirst) {
        this.parts = parts;
        this.teller = teller;
        this.writerFirst = writerFirst;
    }

    /** Decides by what the entry is. It may run code of the application, and again if the entry has changed meanwhile. */
    @FunctionalInterface
    interface Decision<V, T> extends Function<Answer<V>, Step<V, T>> {}

    /** A decision that asks partitions itself, within what is left of the time of the attempt. */
    @FunctionalInterface
    interface BudgetedDecision<V, T> extends BiFunction<Answer<V>, CallBudget, Step<V, T>> {}

    /** Changes an entry, in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision) {
        return change(operation, key, expiry, decision, parts.budget(operation));
    }

    /** As above, the first attempt within what is left of the time of a call that has asked partitions before. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision, CallBudget left) {
        BudgetedDecision<V, T> budgeted = (current, budget) -> decision.apply(current);
        EncodedKey encoded = parts.encode(key);
        return inTurnIfOrdered(encoded, () -> attemptUntilApplied(operation, key, encoded, expiry, budgeted, left));
    }

    /** Changes an entry, in turn with other threads of this process. */
    <T> T changeInTurn(String operation, K key, ExpiryRules expiry, BudgetedDecision<V, T> decision) {
        EncodedKey encoded = parts.encode(key);
        return parts.queues()
                .inTurn(
                        encoded,
                        () -> attemptUntilApplied(operation, key, encoded, expiry, decision, parts.budget(operation)));
    }

    /** Does something in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T inTurnIfOrdered(EncodedKey encoded, Supplier<T> change) {
        return parts.events().isEmpty() && !parts.writer().isOn()
                ? change.get()
                : parts.queues().inTurn(encoded, change);
    }

    private <T> T attemptUntilApplied(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            BudgetedDecision<V, T> decision,
            CallBudget first) {
        Contention contention = parts.contention();
        CallBudget budget = first;
        while (true) {
            Answer<V> current =
                    parts.store().get(encoded, Expiry.UNCHANGED, budget).orThrow();
            if (current.isReserved()) {
                if (!contention.lost() || !contention.pause()) {
                    throw contention.failure(operation);
                }
            } else {
                Step<V, T> step = decision.apply(current, budget);
                if (apply(operation, key, encoded, expiry, current, step, budget)) {
                    return step.result();
                }
                if (!contention.lost()) {
                    throw contention.failure(operation);
                }
            }
            // An attempt that came too late for another writer was answered in time: the next one has all of it again.
            budget = parts.budget(operation);
        }
    }

    private boolean apply(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            Answer<V> current,
            Step<V, ?> step,
            CallBudget budget) {
        return switch (step.kind()) {
            case KEEP -> true;
            case TOUCH -> touch(encoded, expiry, current, budget);
            case SET ->
                parts.writer().isFirst()
                        ? writerFirst.changeExpected(
                                operation, key, step.value(), step.expectedOf(current), expiry, budget)
                        : set(key, encoded, expiry, current, step, budget);
            case REMOVE ->
                parts.writer().isFirst()
                        ? writerFirst.changeExpected(operation, key, null, step.expectedOf(current), expiry, budget)
                        : remove(key, encoded, current, step, budget);
            case SET_LOADED -> set(key, encoded, expiry, current, step, budget);
        };
    }

    /** An access that comes too late to change the expiry was an access of a value that is gone: nothing to repeat. */
    private boolean touch(EncodedKey encoded, ExpiryRules expiry, Answer<V> current, CallBudget budget) {
        Optional<Expiry> wanted = expiry.onAccess();
        if (wanted.isEmpty()) {
            parts.store().compareAndRemove(encoded, current.stamp(), budget);
        } else if (!wanted.get().isUnchanged()) {
            parts.store().compareAndExpire(encoded, current.stamp(), wanted.get(), budget);
        }
        return true;
    }

    private boolean set(
            K key, EncodedKey encoded, ExpiryRules expiry, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        V value = Objects.requireNonNull(step.value(), "value");
        Optional<Expiry> wanted = current.isPresent() ? expiry.onUpdate() : expiry.onCreation();
        long freshUntil = wanted.map(lasting -> parts.lifetimes().freshUntil(lasting, current))
                .orElse(0L);
        Envelope envelope = parts.store().encode(value, freshUntil);
        long expected = step.expectedOf(current);
        Handover handover = step.kind() == Step.Kind.SET_LOADED
                ? Handover.DONE
                : Objects.requireNonNullElseGet(
                        step.handover(), () -> parts.writer().write(key, value, encoded, envelope, budget));
        boolean applied = wanted.isEmpty()
                // A value that expires at once is never seen: nothing is created, and what was there is gone.
                ? handover.around(() -> parts.store().compareAndRemove(encoded, expected, budget))
                : handover.around(() -> parts.store()
                        .compareAndSet(
                                encoded, expected, envelope, parts.lifetimes().kept(wanted.get()), budget));
        if (!applied || wanted.isEmpty()) {
            return applied;
        }
        if (step.kind() != Step.Kind.SET_LOADED) {
            parts.counters().puts(1);
        }
        EventType type = current.isPresent() ? EventType.UPDATED : EventType.CREATED;
        teller.tell(type, key, value, current.value());
        return true;
    }

    private boolean remove(K key, EncodedKey encoded, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        Handover handover = Objects.requireNonNullElseGet(
                step.handover(), () -> parts.writer().delete(key, encoded, budget));
        // Where there is no entry, there may be the lease of a loader that has seen the value before it was deleted.
        long expected = step.expectedOf(current);
        if (!handover.around(() -> parts.store().compareAndRemove(encoded, expected, budget))) {
            return false;
        }
        if (current.isPresent()) {
            teller.tell(EventType.REMOVED, key, current.value(), current.value());
        }
        return true;
    }

    /**
     * Stores a value with one command if there is no entry; returns whether it did. Neither asks the writer nor counts.
     *
     * @param expiry never at once
     */
    boolean add(K key, V value, Expiry expiry, CallBudget budget) {
        EncodedKey encoded = parts.encode(key);
        Envelope envelope = parts.store().encode(value, parts.lifetimes().freshUntil(expiry));
        return parts.events().isEmpty()
                ? add(key, value, encoded, envelope, expiry, budget)
                : parts.queues().inTurn(encoded, () -> add(key, value, encoded, envelope, expiry, budget));
    }

    private boolean add(K key, V value, EncodedKey encoded, Envelope envelope, Expiry expiry, CallBudget budget) {
        boolean added = parts.store()
                .compareAndSet(
                        encoded, Command.ABSENT, envelope, parts.lifetimes().kept(expiry), budget);
        if (added) {
            teller.tell(EventType.CREATED, key, value, null);
        }
        return added;
    }

    /** Returns whether an entry may be stored and removed without knowing what was there. */
    boolean mayBeBlind(ExpiryRules expiry) {
        return expiry.isConstant()
                && parts.events().isEmpty()
                && (!parts.lifetimes().areTracked() || expiry.onCreation().equals(expiry.onUpdate()));
    }

    /** Stores a value with one command, if nobody needs to know what was there, and no writer comes first. */
    void putBlind(K key, V value, ExpiryRules expiry) {
        Command.Put put = encodePut(parts.encode(key), value, expiry);
        CallBudget budget = parts.budget("put");
        parts.writer().write(key, value, put.key(), put.envelope(), budget).around(() -> {
            parts.store().put(put, budget);
            return true;
        });
        parts.counters().puts(1);
    }

    /** Encodes a value for a write that does not need to know what was there. */
    Command.Put encodePut(EncodedKey encoded, V value, ExpiryRules expiry) {
        Expiry creation = expiry.onCreation().orElseThrow();
        Expiry update = expiry.onUpdate().orElseThrow();
        return new Command.Put(
                encoded,
                parts.store().encode(value, parts.lifetimes().freshUntil(creation)),
                parts.lifetimes().kept(creation),
                parts.lifetimes().kept(update));
    }
}

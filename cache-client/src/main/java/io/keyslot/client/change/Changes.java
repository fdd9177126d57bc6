// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.client.call.Contention;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.writing.Contentions;
import io.keyslot.client.writing.WriterFirst;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes one entry by what it is: reads value and stamp, decides, and applies the decision if the stamp is still the
 * same; otherwise reads and decides again. So each change is atomic against those of every other process, without a lock.
 *
 */
public final class Changes<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final ChangeTeller<K, V> told;
    private final Contentions contentions;
    private final CacheFirst<K, V> cacheFirst;
    private final @Nullable WriterFirst<K, V> writerFirst;

    /** @param writerFirst null unless there is a writer that comes first */
    public Changes(
            CacheCalls<K> calls,
            EntryStore<V> store,
            ChangeTeller<K, V> told,
            Contentions contentions,
            CacheFirst<K, V> cacheFirst,
            @Nullable WriterFirst<K, V> writerFirst) {
        this.calls = calls;
        this.store = store;
        this.told = told;
        this.contentions = contentions;
        this.cacheFirst = cacheFirst;
        this.writerFirst = writerFirst;
    }

    /** Returns what changes the cache before its writer, if there is one, hears of it. */
    CacheFirst<K, V> cacheFirst() {
        return cacheFirst;
    }

    /** Returns what changes the cache after its writer, null if no writer comes first. */
    @Nullable
    WriterFirst<K, V> writerFirst() {
        return writerFirst;
    }

    /** Decides by what the entry is. It may run code of the application, and again if the entry has changed meanwhile. */
    @FunctionalInterface
    interface Decision<V, T> extends Function<Answer<V>, Step<V, T>> {}

    /** A decision that asks partitions itself, within what is left of the time of the attempt. */
    @FunctionalInterface
    interface BudgetedDecision<V, T> extends BiFunction<Answer<V>, CallBudget, Step<V, T>> {}

    /** Changes an entry, in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision) {
        return change(operation, key, expiry, decision, calls.budget(operation));
    }

    /** As above, the first attempt within what is left of the time of a call that has asked partitions before. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision, CallBudget left) {
        BudgetedDecision<V, T> budgeted = (current, budget) -> decision.apply(current);
        EncodedKey encoded = calls.encode(key);
        return inTurnIfOrdered(encoded, () -> attemptUntilApplied(operation, key, encoded, expiry, budgeted, left));
    }

    /** Changes an entry, in turn with other threads of this process. */
    <T> T changeInTurn(String operation, K key, ExpiryRules expiry, BudgetedDecision<V, T> decision) {
        EncodedKey encoded = calls.encode(key);
        return told.inTurn(
                encoded, () -> attemptUntilApplied(operation, key, encoded, expiry, decision, calls.budget(operation)));
    }

    /** Does something in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T inTurnIfOrdered(EncodedKey encoded, Supplier<T> change) {
        return told.isHeard() || cacheFirst.hasWriter() ? told.inTurn(encoded, change) : change.get();
    }

    private <T> T attemptUntilApplied(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            BudgetedDecision<V, T> decision,
            CallBudget first) {
        Contention contention = contentions.begin();
        CallBudget budget = first;
        while (true) {
            Answer<V> current = store.get(encoded, Expiry.UNCHANGED, budget).orThrow();
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
            budget = calls.budget(operation);
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
                writerFirst != null
                        ? writerFirst.changeExpected(
                                operation, key, step.value(), step.expectedOf(current), expiry, budget)
                        : cacheFirst.set(key, encoded, expiry, current, step, budget);
            case REMOVE ->
                writerFirst != null
                        ? writerFirst.changeExpected(operation, key, null, step.expectedOf(current), expiry, budget)
                        : cacheFirst.remove(key, encoded, current, step, budget);
            case SET_LOADED -> cacheFirst.set(key, encoded, expiry, current, step, budget);
        };
    }

    /** An access that comes too late to change the expiry was an access of a value that is gone: nothing to repeat. */
    private boolean touch(EncodedKey encoded, ExpiryRules expiry, Answer<V> current, CallBudget budget) {
        Optional<Expiry> wanted = expiry.onAccess();
        if (wanted.isEmpty()) {
            store.compareAndRemove(encoded, current.stamp(), budget);
        } else if (!wanted.get().isUnchanged()) {
            store.compareAndExpire(encoded, current.stamp(), wanted.get(), budget);
        }
        return true;
    }
}

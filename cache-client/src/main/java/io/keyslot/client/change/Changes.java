// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.change;

import io.keyslot.client.call.Contention;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.KeyQueues;
import io.keyslot.client.event.ChangeTeller;
import io.keyslot.client.expiry.ExpiryRules;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.writing.Contentions;
import io.keyslot.client.writing.EntryChange;
import io.keyslot.client.writing.WriterFirst;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes one entry by what it is: reads value and stamp, decides, and applies the decision if the stamp is still the
 * same; otherwise reads and decides again. So each change is atomic against those of every other process, without a lock.
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

    /** Returns whether nobody needs to know what was there before a change: neither a writer that comes first nor a listener. */
    boolean isUnheard() {
        return writerFirst == null && !told.isHeard();
    }

    /** Returns whether a value may be put without knowing what was there. */
    boolean mayBeBlind(ExpiryRules expiry) {
        return isUnheard() && cacheFirst.mayBeBlind(expiry);
    }

    /** Returns what changes the cache after its writer, null if no writer comes first. */
    @Nullable
    WriterFirst<K, V> writerFirst() {
        return writerFirst;
    }

    /**
     * Decides by what the entry is, within what is left of the time of the attempt. It may run code of the application, and
     * again if the entry has changed meanwhile.
     */
    @FunctionalInterface
    interface Decision<V, T> {
        Step<V, T> of(Answer<V> current, CallBudget left);
    }

    /** Changes an entry, in turn with other threads of this process if listeners or a writer must hear of changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision) {
        return change(operation, key, expiry, decision, calls.budget(operation));
    }

    /** As above, the first attempt within what is left of the time of a call that has asked partitions before. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision, CallBudget left) {
        Attempts<T> attempts = new Attempts<>(operation, key, calls.encode(key), expiry, decision);
        return told.isHeard() || cacheFirst.writer().isOn() ? attempts.inTurn(left) : attempts.untilApplied(left);
    }

    /**
     * Puts a value, or removes the entry if that is null, whatever is there; returns what was.
     *
     * @param goesOn whether a writer that comes first is asked although the partition does not answer
     */
    Answer<V> exchange(String operation, EntryChange<K, V> wanted, boolean goesOn) {
        if (writerFirst != null) {
            return writerFirst.change(operation, wanted, goesOn);
        }
        V value = wanted.value();
        return change(
                operation,
                wanted.key(),
                wanted.expiry(),
                (current, left) -> value == null ? Step.remove(current) : Step.set(value, current));
    }

    /** Changes an entry, in turn with other threads of this process. */
    <T> T changeInTurn(String operation, K key, EncodedKey encoded, ExpiryRules expiry, Decision<V, T> decision) {
        return new Attempts<>(operation, key, encoded, expiry, decision).inTurn(null);
    }

    /** The attempts to change one entry. For use by one thread. */
    private final class Attempts<T> {
        private final String operation;
        private final K key;
        private final EncodedKey encoded;
        private final ExpiryRules expiry;
        private final Decision<V, T> decision;

        Attempts(String operation, K key, EncodedKey encoded, ExpiryRules expiry, Decision<V, T> decision) {
            this.operation = operation;
            this.key = key;
            this.encoded = encoded;
            this.expiry = expiry;
            this.decision = decision;
        }

        /** @param left what is left of the time of the call, null if it begins with its turn */
        T inTurn(@Nullable CallBudget left) {
            try (KeyQueues.Standing turn = told.enter(encoded)) {
                return untilApplied(left == null ? calls.budget(operation) : left);
            }
        }

        T untilApplied(CallBudget first) {
            Contention contention = contentions.begin();
            CallBudget budget = first;
            while (true) {
                Answer<V> current = store.get(encoded, Expiry.UNCHANGED, budget).orThrow();
                if (current.isReserved()) {
                    if (!contention.lost() || !contention.pause()) {
                        throw contention.failure(operation);
                    }
                } else {
                    Step<V, T> step = decision.of(current, budget);
                    if (apply(current, step, budget)) {
                        return step.result();
                    }
                    if (!contention.lost()) {
                        throw contention.failure(operation);
                    }
                }
                // An attempt that came too late for another writer was answered in time: the next one has all of it
                // again.
                budget = calls.budget(operation);
            }
        }

        private boolean apply(Answer<V> current, Step<V, T> step, CallBudget budget) {
            return switch (step.kind()) {
                case KEEP -> true;
                case TOUCH -> touch(current, budget);
                case SET, SET_LOADED, REMOVE -> change(current, step, budget);
            };
        }

        private boolean change(Answer<V> current, Step<V, T> step, CallBudget budget) {
            EntryChange<K, V> change = new EntryChange<>(key, encoded, step.value(), expiry);
            boolean isLoaded = step.kind() == Step.Kind.SET_LOADED;
            long expected = step.expectedOf(current);
            return (writerFirst == null || isLoaded)
                    ? cacheFirst.changeExpected(change, isLoaded, current, expected, budget)
                    : writerFirst.changeExpected(operation, change, expected, budget);
        }

        /** An access that comes too late to change the expiry was an access of a value that is gone: nothing to repeat. */
        private boolean touch(Answer<V> current, CallBudget budget) {
            Optional<Expiry> wanted = expiry.onAccess();
            if (wanted.isEmpty()) {
                store.compareAndRemove(encoded, current.stamp(), budget);
            } else if (!wanted.get().isUnchanged()) {
                store.compareAndExpire(encoded, current.stamp(), wanted.get(), budget);
            }
            return true;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.AssumedEntries;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.writing.Contentions;
import io.keyslot.client.writing.EntryChange;
import io.keyslot.client.writing.WriteThroughUpdate;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The optimistic loop: attempts to change one entry, until what was decided is applied to what it was decided by. */
final class ChangeLoop<K, V> {
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final EventPublisher<K, V> publisher;
    private final Contentions contentions;
    private final DirectUpdate<K, V> cacheFirst;
    private final AssumedEntries<V> assumed;
    private final @Nullable WriteThroughUpdate<K, V> writerFirst;

    /** @param writerFirst null unless there is a writer that comes first */
    ChangeLoop(
            CacheCalls<K> calls,
            EntryStore<V> store,
            EventPublisher<K, V> publisher,
            Contentions contentions,
            DirectUpdate<K, V> cacheFirst,
            @Nullable WriteThroughUpdate<K, V> writerFirst) {
        this.calls = calls;
        this.store = store;
        this.publisher = publisher;
        this.contentions = contentions;
        this.cacheFirst = cacheFirst;
        this.assumed = store.assumed();
        this.writerFirst = writerFirst;
    }

    /**
     * Decides by what the entry is, within what is left of the time of the attempt. It may run code of the application, and
     * again if the entry has changed meanwhile.
     */
    @FunctionalInterface
    interface Decision<V, T> {
        Step<V, T> of(Answer<V> current, CallBudget left);
    }

    /**
     * What is to be changed, and by whose decision.
     *
     * @param mayAssume whether it may be decided first by what this process stored last
     */
    record Request<K, V, T>(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            Decision<V, T> decision,
            boolean mayAssume) {}

    /**
     * As {@link #untilApplied}, in turn with other threads of this process.
     *
     * @param left what is left of the time of the call, null if it begins with its turn
     */
    <T> T inTurn(Request<K, V, T> request, @Nullable CallBudget left) {
        try (KeyedQueues.Standing turn = publisher.enter(request.encoded())) {
            return untilApplied(request, left == null ? calls.budget(request.operation()) : left);
        }
    }

    /** @param first what the first attempt has left of the time of the call */
    <T> T untilApplied(Request<K, V, T> request, CallBudget first) {
        Answer<V> current = request.mayAssume() ? assumed.of(request.encoded()) : null;
        if (current == null) {
            return untilAppliedToRead(request, first, null);
        }
        Attempt<V, T> attempt = byAssumption(request, current, first);
        if (attempt.isApplied()) {
            return attempt.decided().result();
        }
        assumed.forget(request.encoded());
        return untilAppliedToRead(request, first, attempt); // within what is left: the call has the time of one attempt
    }

    /**
     * Decides by what the entry is assumed to be, and makes the change if that is one: it is made only if the assumption is true. Anything
     * else is confirmed by reading the entry; so is a failure, which may be due to what is true no more.
     */
    private <T> Attempt<V, T> byAssumption(Request<K, V, T> request, Answer<V> current, CallBudget budget) {
        Step<V, T> step;
        DirectUpdate.Prepared<K, V> prepared;
        try {
            step = request.decision().of(current, budget);
            prepared = step.isChange() ? cacheFirst.prepare(changeOf(request, step), current) : null;
        } catch (RuntimeException e) { // of the application, its codec or its expiry policy: nothing has been sent
            return new Attempt<>(current.stamp(), null, e, false);
        }
        boolean isApplied = prepared != null
                && cacheFirst.changeExpected(prepared, step.isLoaded(), current, step.expectedOf(current), budget);
        return new Attempt<>(current.stamp(), step, null, isApplied);
    }

    /**
     * What was decided by what an entry was assumed to be.
     *
     * @param stamp the stamp that the entry was assumed to have
     * @param step what was decided, null if that failed
     * @param failure why it failed, null if it did not
     */
    private record Attempt<V, T>(
            long stamp, @Nullable Step<V, T> step, @Nullable RuntimeException failure, boolean isApplied) {
        /** Returns whether the entry is what it was assumed to be: then it is not decided again. */
        boolean isConfirmedBy(Answer<?> current) {
            return current.isPresent() && current.stamp() == stamp;
        }

        Step<V, T> decided() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(step);
        }
    }

    /** @param before what was decided by what the entry was assumed to be; null if nothing was */
    private <T> T untilAppliedToRead(Request<K, V, T> request, CallBudget first, @Nullable Attempt<V, T> before) {
        Contention contention = contentions.begin();
        CallBudget budget = first;
        while (true) {
            Answer<V> current =
                    store.get(request.encoded(), Expiry.UNCHANGED, budget).orThrow();
            boolean isReserved = current.isReserved();
            if (isReserved) {
                contentions.requireOthers(request.operation(), request.encoded());
            } else {
                try (CallScope attempt = contention.attempt(request.encoded()::equals)) {
                    Step<V, T> step = before != null && before.isConfirmedBy(current)
                            ? before.decided()
                            : request.decision().of(current, budget);
                    if (apply(request, current, step, budget)) {
                        return step.result();
                    }
                }
            }
            if (!contention.lost() || (isReserved && !contention.pause())) {
                throw contention.failure(request.operation());
            }
            // An attempt that came too late for another writer was answered in time: the next one has all of it again.
            budget = calls.budget(request.operation());
        }
    }

    private boolean apply(Request<K, V, ?> request, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        return switch (step.kind()) {
            case KEEP -> true;
            case TOUCH -> touch(request, current, budget);
            case SET, SET_LOADED, REMOVE -> change(request, current, step, budget);
        };
    }

    private boolean change(Request<K, V, ?> request, Answer<V> current, Step<V, ?> step, CallBudget budget) {
        EntryChange<K, V> change = changeOf(request, step);
        boolean isLoaded = step.isLoaded();
        long expected = step.expectedOf(current);
        return (writerFirst == null || isLoaded)
                ? cacheFirst.changeExpected(cacheFirst.prepare(change, current), isLoaded, current, expected, budget)
                : writerFirst.changeExpected(request.operation(), change, expected, budget);
    }

    private static <K, V> EntryChange<K, V> changeOf(Request<K, V, ?> request, Step<V, ?> step) {
        return new EntryChange<>(request.key(), request.encoded(), step.value(), request.expiry());
    }

    /** An access that comes too late to change the expiry was an access of a value that is gone: nothing to repeat. */
    private boolean touch(Request<K, V, ?> request, Answer<V> current, CallBudget budget) {
        Optional<Expiry> wanted = request.expiry().onAccess();
        if (wanted.isEmpty()) {
            store.compareAndRemove(request.encoded(), current.stamp(), budget);
        } else if (!wanted.get().isUnchanged()) {
            store.compareAndExpire(request.encoded(), current.stamp(), wanted.get(), budget);
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.jcache.WriteThroughUpdate.EntryChange;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes single entries atomically without a lock: reads value and stamp, decides, and applies the decision if the
 * stamp is unchanged; otherwise starts again. A value that only this process has changed lately is not read, as the
 * condition on the stamp confirms it. {@code writerFirst} is null if no writer is called before the cache is changed.
 */
record EntryUpdates<K, V>(
        CacheCalls<K> calls,
        EntryStore<V> store,
        EventPublisher<K, V> publisher,
        Supplier<Contention> contentions,
        ChangeWriter<K, V> writer,
        Lifetimes lifetimes,
        @Nullable WriteThroughUpdate<K, V> writerFirst) {
    /**
     * Decides on a change by the present state of the entry, in the remaining time of the attempt. It may run code of
     * the application, and runs again if the entry has changed meanwhile.
     */
    @FunctionalInterface
    interface Decision<V, T> {
        Step<V, T> of(Answer<V> current, CallBudget left);
    }

    /** A requested change; {@code mayAssume} allows a first decision on what this process stored last. */
    private record Request<K, V, T>(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            Decision<V, T> decision,
            boolean mayAssume) {}

    /** Returns whether changes do not need old values: there are no listeners, and no writer is called first. */
    boolean isUnheard() {
        return writerFirst == null && !publisher.hasListeners();
    }

    boolean mayBeBlind(ExpiryRules expiry) {
        return isUnheard() && lifetimes.mayBeBlind(expiry);
    }

    /** Changes an entry, with its lock if listeners or a writer must receive changes in order. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision) {
        return change(operation, key, expiry, decision, calls.budget(operation));
    }

    /** As above, with the remaining time of a call. */
    <T> T change(String operation, K key, ExpiryRules expiry, Decision<V, T> decision, CallBudget left) {
        Request<K, V, T> request = new Request<>(operation, key, calls.encode(key), expiry, decision, mayAssume());
        return publisher.hasListeners() || writer.isOn() ? inTurn(request, left) : untilApplied(request, left);
    }

    /**
     * Puts a value, or removes the entry if it is null; returns the old entry. With {@code goesOn}, a write-through
     * writer is called even if the partition does not answer.
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

    /** A writer needs the present entry, which has to be read. */
    private boolean mayAssume() {
        return !writer.isOn();
    }

    /** Changes an entry with its lock in this process; {@code readsFirst} forbids a decision on an assumed state. */
    <T> T changeInTurn(
            String operation,
            K key,
            EncodedKey encoded,
            ExpiryRules expiry,
            boolean readsFirst,
            Decision<V, T> decision) {
        return inTurn(new Request<>(operation, key, encoded, expiry, decision, mayAssume() && !readsFirst), null);
    }

    /** As {@link #untilApplied}, with the lock of the entry. The time begins with the lock if {@code left} is null. */
    private <T> T inTurn(Request<K, V, T> request, @Nullable CallBudget left) {
        try (KeyedQueues.Standing turn = publisher.queues().enter(request.encoded())) {
            return untilApplied(request, left == null ? calls.budget(request.operation()) : left);
        }
    }

    private <T> T untilApplied(Request<K, V, T> request, CallBudget first) {
        Answer<V> current = request.mayAssume() ? store.assumed(request.encoded()) : null;
        if (current == null) {
            return untilAppliedToRead(request, first, null);
        }
        Attempt<V, T> attempt = byAssumption(request, current, first);
        if (attempt.isApplied()) {
            return attempt.decided().result();
        }
        store.forgetAssumed(request.encoded());
        return untilAppliedToRead(request, first, attempt); // the call has the time of one attempt
    }

    /**
     * Decides on the assumed state of the entry, and makes the change on the condition that the assumption is true. Any
     * other decision, or a failure, has to be confirmed by reading the entry.
     */
    private <T> Attempt<V, T> byAssumption(Request<K, V, T> request, Answer<V> current, CallBudget budget) {
        Step<V, T> step;
        Prepared<K, V> prepared;
        try {
            step = request.decision().of(current, budget);
            prepared = step.isChange() ? prepare(changeOf(request, step), current) : null;
        } catch (RuntimeException e) { // by the application, codec or expiry policy: nothing was sent
            return new Attempt<>(current.stamp(), null, e, false);
        }
        boolean isApplied = prepared != null
                && changeExpected(prepared, step.isLoaded(), current, step.expectedOf(current), budget);
        return new Attempt<>(current.stamp(), step, null, isApplied);
    }

    /** A decision on an entry with an assumed stamp; {@code step} is null if it failed. */
    private record Attempt<V, T>(
            long stamp, @Nullable Step<V, T> step, @Nullable RuntimeException failure, boolean isApplied) {
        /** Returns whether the assumption was true, so that the decision stays. */
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

    /** Retries until the change is applied to a read state; {@code before} is the decision on the assumed state. */
    private <T> T untilAppliedToRead(Request<K, V, T> request, CallBudget first, @Nullable Attempt<V, T> before) {
        store.calls().changing(request.encoded());
        Contention contention = contentions.get();
        CallBudget budget = first;
        while (true) {
            Answer<V> current =
                    store.get(request.encoded(), Expiry.UNCHANGED, budget).orThrow();
            boolean isReserved = current.isReserved();
            if (isReserved && writerFirst != null) {
                writerFirst.requireOthers(request.operation(), request.encoded());
            }
            if (!isReserved) {
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
            // The lost attempt was answered in time, so the next one gets the whole time again.
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
                ? changeExpected(prepare(change, current), isLoaded, current, expected, budget)
                : writerFirst.changeExpected(request.operation(), change, expected, budget);
    }

    private static <K, V> EntryChange<K, V> changeOf(Request<K, V, ?> request, Step<V, ?> step) {
        return new EntryChange<>(request.key(), request.encoded(), step.value(), request.expiry());
    }

    /** A touch that fails because the value has changed is not repeated: the read value no longer exists. */
    private boolean touch(Request<K, V, ?> request, Answer<V> current, CallBudget budget) {
        Optional<Expiry> wanted = request.expiry().onAccess();
        if (wanted.isEmpty()) {
            store.compareAndRemove(request.encoded(), current.stamp(), budget);
        } else if (!wanted.get().isUnchanged()) {
            store.compareAndExpire(request.encoded(), current.stamp(), wanted.get(), budget);
        }
        return true;
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
                change, wanted, value == null ? null : store.coder().encode(change.encoded(), value, freshUntil));
    }

    /**
     * Changes an entry if it has the expected stamp; returns whether it had. A loaded value comes from the source of
     * the writer, and is not a put.
     */
    boolean changeExpected(
            Prepared<K, V> prepared, boolean isLoaded, Answer<V> current, long expected, CallBudget budget) {
        try (OutboxEntry outboxEntry = isLoaded ? OutboxEntry.NONE : writer.reserve(prepared.key(), budget)) {
            if (!exchange(outboxEntry, prepared, current, expected, budget)) {
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
            OutboxEntry outboxEntry, Prepared<K, V> prepared, Answer<V> current, long expected, CallBudget budget) {
        EncodedKey key = prepared.key();
        Envelope envelope = prepared.envelope();
        outboxEntry.begin();
        try {
            boolean applied = exchange(prepared, current, expected, budget);
            if (applied) {
                outboxEntry.settle(key, envelope, null);
            }
            return applied;
        } catch (KeyslotException e) {
            outboxEntry.settle(key, envelope, e);
            throw e;
        }
    }

    private boolean exchange(Prepared<K, V> prepared, Answer<V> current, long expected, CallBudget budget) {
        EncodedKey key = prepared.key();
        Envelope envelope = prepared.envelope();
        if (envelope == null || prepared.wanted().isEmpty()) {
            // Without an entry, there may be the lease of a load that has read the value before its removal.
            return store.compareAndRemove(key, expected, budget);
        }
        Envelope known = expected == current.stamp() ? current.entry() : null;
        boolean applied = store.compareAndSet(
                key, expected, known, envelope, lifetimes.kept(prepared.wanted().get()), budget);
        if (applied) {
            store.assume(key, expected, envelope);
        }
        return applied;
    }
}

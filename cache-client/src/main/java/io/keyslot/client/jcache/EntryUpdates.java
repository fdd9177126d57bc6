// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.jcache.WriteThroughUpdate.EntryChange;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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
     * the application, and runs again if the entry has changed meanwhile. It is closed when a blocking call has ended.
     */
    @FunctionalInterface
    interface Decision<V, T> extends AutoCloseable {
        Step<V, T> of(Answer<V> current, CallBudget left);

        /** Returns the result of a call that failed, or throws the failure. */
        default T instead(KeyslotException failure) {
            throw failure;
        }

        /** Returns whether blocking calls always lock the entry. */
        default boolean isInTurn() {
            return false;
        }

        /** Returns whether it must not decide on an assumed state. */
        default boolean readsFirst() {
            return false;
        }

        /** Returns whether it may wait for partitions, so that an asynchronous call needs a thread. */
        default boolean mayWait() {
            return false;
        }

        @Override
        default void close() {}
    }

    /** Returns whether changes do not need old values: there are no listeners, and no writer is called first. */
    boolean isUnheard() {
        return writerFirst == null && !publisher.hasListeners();
    }

    boolean mayBeBlind(ExpiryRules expiry) {
        return isUnheard() && lifetimes.mayBeBlind(expiry);
    }

    /**
     * Returns a change of an entry, whose result {@code end} completes. A blocking one locks the entry if listeners or a
     * writer must receive changes in order.
     */
    <T, R extends @Nullable Object> AsyncCalls.Parts<R> change(
            String operation, K key, ExpiryRules expiry, Decision<V, T> decision, Function<T, R> end) {
        return new Change<>(operation, key, expiry, decision, end, false);
    }

    /** As {@link #change}, for a decision that stores a value if there is no entry, which takes one command then. */
    <T, R> AsyncCalls.Parts<R> add(
            String operation, K key, ExpiryRules expiry, Decision<V, T> decision, Function<T, R> end) {
        return new Change<>(operation, key, expiry, decision, end, expiry.isConstant() && !writer.isOn());
    }

    /**
     * Puts a value, or removes the entry if it is null; returns the old entry. With {@code goesOn}, a write-through
     * writer is called even if the partition does not answer.
     */
    Answer<V> exchange(String operation, EntryChange<K, V> wanted, boolean goesOn) {
        return exchange(operation, wanted, goesOn, Function.identity()).now();
    }

    <R extends @Nullable Object> AsyncCalls.Parts<R> exchange(
            String operation, EntryChange<K, V> wanted, boolean goesOn, Function<Answer<V>, R> end) {
        if (writerFirst != null) {
            return AsyncCalls.OneCommand.none(() -> end.apply(writerFirst.change(operation, wanted, goesOn)));
        }
        V value = wanted.value();
        Decision<V, Answer<V>> decision =
                (current, left) -> value == null ? Step.remove(current) : Step.set(value, current);
        return change(operation, wanted.key(), wanted.expiry(), decision, end);
    }

    /** A decision as it is sent; {@code envelope} is that of the new value, even if it expires at once. */
    private record Sending<V, T>(
            Step<V, T> step, Answer<V> current, @Nullable Envelope envelope, Command.OfKey<Boolean> command) {}

    /**
     * A change in progress. Each part waits for the reply to one command: it reads the entry and decides, or it makes the
     * change on the condition that the entry still has the stamp. If it has not, another attempt begins.
     *
     * <p>If the state of the entry is assumed, the first part decides on it without a command. Any other decision than a
     * change, or a failure, has to be confirmed by reading the entry.
     *
     * <p>For use by one thread at a time.
     */
    private final class Change<T, R extends @Nullable Object> implements AsyncCalls.Parts<R> {
        private final String operation;
        private final K key;
        private final EncodedKey encoded;
        private final ExpiryRules expiry;
        private final Decision<V, T> decision;
        private final Function<T, R> end;
        private final boolean assumesNone;
        private CallBudget budget;
        private boolean isBegun;
        private @Nullable Answer<V> assumed;
        /** The decision on an assumed state with this stamp, or its failure. */
        private Supplier<Step<V, T>> decided = () -> {
            throw new IllegalStateException("nothing was assumed");
        };

        private long decidedStamp = Command.ABSENT;
        private @Nullable Contention contention; // null until the entry is read
        private @Nullable Sending<V, T> sending;
        private @Nullable Step<V, T> applied;
        private @Nullable RuntimeException failure;

        Change(
                String operation,
                K key,
                ExpiryRules expiry,
                Decision<V, T> decision,
                Function<T, R> end,
                boolean assumesNone) {
            this.operation = operation;
            this.key = key;
            this.encoded = calls.encode(key);
            this.expiry = expiry;
            this.decision = decision;
            this.end = end;
            this.assumesNone = assumesNone;
            this.budget = calls.budget(operation);
        }

        @Override
        public Object key() {
            return encoded;
        }

        @Override
        public boolean isAhead() {
            return !publisher.hasListeners() && !writer.isOn() && !decision.mayWait();
        }

        @Override
        public boolean isChange() {
            return sending != null;
        }

        @Override
        public R now() {
            boolean isInTurn = decision.isInTurn() || publisher.hasListeners() || writer.isOn();
            try (Decision<V, T> closing = decision;
                    KeyedQueues.Standing turn = isInTurn ? publisher.queues().enter(encoded) : null) {
                return AsyncCalls.Parts.super.now();
            }
        }

        private void begin() {
            if (isBegun) {
                return;
            }
            isBegun = true;
            if (assumesNone) {
                assumed = Answer.without(Answer.Kind.ABSENT);
            } else if (!writer.isOn() && !decision.readsFirst()) { // a writer needs the present entry
                assumed = store.assumed(encoded);
            }
            if (assumed == null) {
                beginReading();
            }
        }

        private void beginReading() {
            assumed = null;
            store.calls().changing(encoded);
            contention = contentions.get();
        }

        @Override
        public CompletableFuture<?> send() {
            begin();
            if (sending != null) {
                return store.calls().changeAhead(encoded, sending.command(), budget);
            }
            return assumed == null ? store.getAhead(encoded, budget) : CompletableFuture.completedFuture(null);
        }

        @Override
        public boolean goOn() {
            try {
                begin();
                Sending<V, T> sent = sending;
                sending = null;
                if (sent != null) {
                    apply(sent);
                } else if (assumed != null) {
                    decideBy(assumed);
                } else {
                    readAndDecide(Objects.requireNonNull(contention));
                }
            } catch (RuntimeException e) {
                failure = e;
            }
            return applied != null || failure != null;
        }

        @Override
        public R result() {
            if (failure instanceof KeyslotException known) {
                return end.apply(decision.instead(known));
            }
            if (failure != null) {
                throw failure;
            }
            return end.apply(Objects.requireNonNull(applied).result());
        }

        private void decideBy(Answer<V> current) {
            try {
                Step<V, T> step = decision.of(current, budget);
                decided = () -> step;
                sending = step.isChange() ? sending(step, current) : null;
            } catch (RuntimeException e) { // by the application, codec or expiry policy: nothing was sent
                if (assumesNone) {
                    throw e;
                }
                decided = () -> {
                    throw e;
                };
            }
            decidedStamp = current.stamp();
            if (sending == null) {
                refute(current);
            }
        }

        private void refute(Answer<V> current) {
            if (current.isPresent()) {
                store.forgetAssumed(encoded);
            }
            beginReading(); // the call has the time of one attempt
        }

        private void readAndDecide(Contention attempts) {
            Answer<V> current = store.get(encoded, budget).orThrow();
            boolean isReserved = current.isReserved();
            if (isReserved && writerFirst != null) {
                writerFirst.requireOthers(operation, encoded);
            }
            if (!isReserved) {
                try (CallScope attempt = attempts.attempt(encoded::equals)) {
                    Step<V, T> step = current.isPresent() && current.stamp() == decidedStamp
                            ? decided.get()
                            : decision.of(current, budget);
                    if (isDecided(step, current)) {
                        return;
                    }
                }
            }
            tryAgain(attempts, isReserved);
        }

        /** Applies a decision, or prepares its command; returns false if the writer did not get the entry. */
        private boolean isDecided(Step<V, T> step, Answer<V> current) {
            if (writerFirst != null && step.isChange() && !step.isLoaded()) {
                EntryChange<K, V> change = new EntryChange<>(key, encoded, step.value(), expiry);
                boolean isMade = writerFirst.changeExpected(operation, change, step.expectedOf(current), budget);
                applied = isMade ? step : null;
                return isMade;
            }
            sending = sending(step, current);
            applied = sending == null ? step : null;
            return true;
        }

        private void tryAgain(Contention attempts, boolean isReserved) {
            if (!attempts.lost() || (isReserved && !attempts.pause())) {
                throw attempts.failure(operation);
            }
            // The lost attempt was answered in time, so the next one gets the whole time again.
            budget = calls.budget(operation);
        }

        private @Nullable Sending<V, T> sending(Step<V, T> step, Answer<V> current) {
            return switch (step.kind()) {
                case KEEP -> null;
                case TOUCH -> {
                    Optional<Expiry> wanted = expiry.onAccess();
                    boolean isUnchanged = wanted.filter(Expiry::isUnchanged).isPresent();
                    yield isUnchanged ? null : sending(step, current, null, wanted);
                }
                case SET, SET_LOADED, REMOVE -> {
                    // Encodes the value and calls the expiry policy, which may fail, before anything is changed.
                    V value = step.value();
                    Optional<Expiry> wanted = value == null ? Optional.empty() : expiry.onChange(current.isPresent());
                    long freshUntil = wanted.map(lasting -> lifetimes.freshUntil(lasting, current))
                            .orElse(0L);
                    Envelope envelope = value == null ? null : store.coder().encode(encoded, value, freshUntil);
                    yield sending(step, current, envelope, wanted);
                }
            };
        }

        /** {@code wanted} is empty for no entry: a value that expires at once is never visible. */
        private Sending<V, T> sending(
                Step<V, T> step, Answer<V> current, @Nullable Envelope envelope, Optional<Expiry> wanted) {
            long expected = step.expectedOf(current);
            Command.OfKey<Boolean> command;
            if (wanted.isEmpty()) {
                // Without an entry, there may be the lease of a load that has read the value before its removal.
                command = new Command.CompareAndRemove(encoded, expected);
            } else if (envelope == null) {
                command = new Command.CompareAndExpire(encoded, expected, wanted.get());
            } else {
                Envelope known = expected == current.stamp() ? current.entry() : null;
                command = new Command.CompareAndSet(encoded, expected, envelope, lifetimes.kept(wanted.get()), known);
            }
            return new Sending<>(step, current, envelope, command);
        }

        private void apply(Sending<V, T> sent) {
            if (!sent.step().isChange()) {
                // A touch that fails because the value has changed is not repeated: the read value no longer exists.
                boolean unused = store.change(sent.command(), budget);
                applied = sent.step();
            } else if (exchange(sent)) {
                applied = sent.step();
                publish(sent);
            } else if (assumed != null) {
                refute(assumed);
            } else {
                tryAgain(Objects.requireNonNull(contention), false);
            }
        }

        private boolean exchange(Sending<V, T> sent) {
            try (OutboxEntry outboxEntry =
                    sent.step().isLoaded() ? OutboxEntry.NONE : writer.reserve(encoded, budget)) {
                outboxEntry.begin();
                try {
                    boolean isMade = store.change(sent.command(), budget);
                    if (isMade) {
                        outboxEntry.settle(encoded, sent.envelope(), null);
                    }
                    return isMade;
                } catch (KeyslotException e) {
                    outboxEntry.settle(encoded, sent.envelope(), e);
                    throw e;
                }
            }
        }

        /** Publishes a change. A loaded value comes from the source of the writer, and is not a put. */
        private void publish(Sending<V, T> sent) {
            V value = sent.step().value();
            if (value == null) {
                publisher.removed(key, sent.current());
            } else if (sent.command() instanceof Command.CompareAndSet set) {
                store.assume(encoded, set.expectedStamp(), set.envelope());
                if (sent.step().isLoaded()) {
                    publisher.stored(key, value, sent.current());
                } else {
                    publisher.put(key, value, sent.current());
                }
            }
        }
    }
}

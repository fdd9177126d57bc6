// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Deadline;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Waiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache, decoded, wherever they are. Each method waits for its answer until the deadline.
 *
 * <ul>
 *   <li>Every method is atomic for each key against those of every other process.
 *   <li>A change whose answer was lost is looked up by its stamp; only if that says nothing is the outcome unknown.
 *   <li>Bytes that are not a value count as no entry; they are reported, and removed unless somebody has written since.
 * </ul>
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class EntryStore<V> {
    /** How many commands of one bulk operation are under way at a time: it must not fill a connection by itself. */
    private static final int MOST_IN_FLIGHT = 1000;

    private final PartitionRouter router;
    private final Waiter waiter;
    private final ValueCoder<V> coder;
    private final Failures failures;
    private final EntryObserver observer;

    public EntryStore(
            PartitionRouter router, Waiter waiter, ValueCoder<V> coder, Failures failures, EntryObserver observer) {
        this.router = router;
        this.waiter = waiter;
        this.coder = coder;
        this.failures = failures;
        this.observer = observer;
    }

    /** Returns what is known of the entry, and lets it expire at another time unless that is {@code UNCHANGED}. */
    public Answer<V> get(EncodedKey key, Expiry access, Deadline deadline) {
        Command<Lookup> command = access.isUnchanged() ? new Command.Get(key) : new Command.GetAndExpire(key, access);
        return answer(key, "get", ask(key, command, deadline), deadline);
    }

    /** Returns what is known of the entries, in the order of the keys. */
    public List<Answer<V>> getAll(List<EncodedKey> keys, Deadline deadline) {
        List<Reply<Lookup>> replies = await(router.getAll(keys, deadline), deadline, () -> timedOut(keys.size()));
        List<Answer<V>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(answer(keys.get(i), "getAll", replies.get(i), deadline));
        }
        return answers;
    }

    private Answer<V> answer(EncodedKey key, String operation, Reply<Lookup> reply, Deadline deadline) {
        if (reply instanceof Reply.Done<Lookup> done) {
            return decode(key, done.value(), deadline);
        }
        return Answer.failed(
                reply instanceof Reply.Refused<Lookup> refused
                        ? failures.of(operation, refused)
                        : failures.ofRead(operation, (Reply.Unknown<Lookup>) reply));
    }

    private Answer<V> decode(EncodedKey key, Lookup lookup, Deadline deadline) {
        Envelope envelope = lookup.envelope();
        if (envelope == null) {
            if (lookup.outcome() != Lookup.Outcome.ABSENT) {
                observer.onUnreadable(lookup.outcome());
            }
            return Answer.absent();
        }
        Optional<V> value = coder.decode(envelope);
        if (value.isPresent()) {
            return Answer.present(value.get(), envelope.stamp());
        }
        observer.onUndecodable(coder.codecName());
        // Whether this succeeds does not matter: the entry is a miss now, and will be one for the next reader.
        ask(key, new Command.CompareAndRemove(key, envelope.stamp()), deadline);
        return Answer.absent();
    }

    /**
     * Encodes a value for one write, before anything is sent or told to a writer.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the value is too large
     * @throws io.keyslot.cache.failure.CodecException if it has no encoded form
     */
    public Envelope encode(V value) {
        return coder.encode(value);
    }

    /** Stores a value, whether or not there is an entry. */
    public void put(Command.Put put, Deadline deadline) {
        KeyslotException failure = failureOf(put, ask(put.key(), put, deadline), deadline);
        if (failure != null) {
            throw failure;
        }
    }

    /** Stores entries; returns why one was not stored, or null, in their order. */
    public List<@Nullable KeyslotException> putAll(List<Command.Put> puts, Deadline deadline) {
        List<@Nullable KeyslotException> problems = new ArrayList<>(puts.size());
        for (List<Command.Put> slice : slices(puts)) {
            List<Reply<Boolean>> replies =
                    await(router.putAll(slice, deadline), deadline, () -> timedOut(slice.size()));
            for (int i = 0; i < slice.size(); i++) {
                problems.add(failureOf(slice.get(i), replies.get(i), deadline));
            }
        }
        return problems;
    }

    private @Nullable KeyslotException failureOf(Command.Put put, Reply<Boolean> reply, Deadline deadline) {
        if (reply instanceof Reply.Done) {
            return null;
        }
        if (reply instanceof Reply.Refused<Boolean> refused) {
            return failures.of("put", refused);
        }
        boolean applied = stampNow(put.key(), deadline)
                .filter(stamp -> stamp == put.envelope().stamp())
                .isPresent();
        return applied ? null : failures.ofChange("put", (Reply.Unknown<Boolean>) reply);
    }

    /**
     * Stores a value if the entry still has the expected stamp, {@link Command#ABSENT} if there must be none.
     *
     * @return whether it did
     * @throws io.keyslot.cache.failure.OutcomeUnknownException if the answer was lost, and the entry as it is now does
     *     not tell either: if there is none, the value was not stored, or was stored and is gone again
     */
    public boolean compareAndSet(
            EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, Deadline deadline) {
        Reply<Boolean> reply = ask(key, new Command.CompareAndSet(key, expectedStamp, envelope, expiry), deadline);
        if (reply instanceof Reply.Unknown<Boolean> unknown) {
            long now = stampNow(key, deadline).orElseThrow(() -> failures.ofChange("compareAndSet", unknown));
            if (now == envelope.stamp()) {
                return true;
            }
            if (now == expectedStamp && now != Command.ABSENT) {
                return false;
            }
            throw failures.ofChange("compareAndSet", unknown);
        }
        return valueOf("compareAndSet", reply);
    }

    /** Removes the entry if it still has the expected stamp; returns whether it did. */
    public boolean compareAndRemove(EncodedKey key, long expectedStamp, Deadline deadline) {
        Reply<Boolean> reply = ask(key, new Command.CompareAndRemove(key, expectedStamp), deadline);
        if (reply instanceof Reply.Unknown<Boolean> unknown) {
            long now = stampNow(key, deadline).orElseThrow(() -> failures.ofChange("remove", unknown));
            if (now == expectedStamp) {
                return false;
            }
            throw failures.ofChange("remove", unknown);
        }
        return valueOf("remove", reply);
    }

    /** Lets the entry expire at another time if it still has the expected stamp; returns whether it had. */
    public boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, Deadline deadline) {
        return valueOf("expire", ask(key, new Command.CompareAndExpire(key, expectedStamp, expiry), deadline));
    }

    /** Has many entries expire at another time; those that were changed meanwhile stay as they are. */
    public void expireAll(List<Command.CompareAndExpire> commands, Deadline deadline) {
        sendAll(commands, Command.CompareAndExpire::key, deadline);
    }

    /** Stores many entries where there are none; returns for each, in their order, whether it was stored. */
    public List<Boolean> addAll(List<Command.CompareAndSet> commands, Deadline deadline) {
        return sendAll(commands, Command.CompareAndSet::key, deadline).stream()
                .map(reply -> reply instanceof Reply.Done<Boolean> done && done.value())
                .toList();
    }

    /** Removes the entry and returns it. */
    public Answer<V> getAndRemove(EncodedKey key, Deadline deadline) {
        return removed(key, ask(key, new Command.GetAndRemove(key), deadline), deadline);
    }

    /** Removes the entries and returns them, in the order of the keys. */
    public List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, Deadline deadline) {
        List<Command.GetAndRemove> commands =
                keys.stream().map(Command.GetAndRemove::new).toList();
        List<Reply<Lookup>> replies = sendAll(commands, Command.GetAndRemove::key, deadline);
        List<Answer<V>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(removed(keys.get(i), replies.get(i), deadline));
        }
        return answers;
    }

    /** Sends commands in parallel, a slice at a time; returns their replies in their order. */
    private <R, C extends Command<R>> List<Reply<R>> sendAll(
            List<C> commands, Function<C, EncodedKey> keyOf, Deadline deadline) {
        List<Reply<R>> replies = new ArrayList<>(commands.size());
        for (List<C> slice : slices(commands)) {
            List<CompletableFuture<Reply<R>>> sent = new ArrayList<>(slice.size());
            slice.forEach(command -> sent.add(router.send(keyOf.apply(command).slot(), command, deadline)));
            sent.forEach(reply -> replies.add(await(reply, deadline, EntryStore::timedOut)));
        }
        return replies;
    }

    private static <T> List<List<T>> slices(List<T> all) {
        List<List<T>> slices = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MOST_IN_FLIGHT) {
            slices.add(all.subList(from, Math.min(all.size(), from + MOST_IN_FLIGHT)));
        }
        return slices;
    }

    private Answer<V> removed(EncodedKey key, Reply<Lookup> reply, Deadline deadline) {
        if (reply instanceof Reply.Unknown<Lookup> unknown) {
            return Answer.failed(failures.ofChange("remove", unknown));
        }
        return answer(key, "remove", reply, deadline);
    }

    /** Removes the entries; returns why one was not removed, or null, in the order of the keys. */
    public List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, Deadline deadline) {
        List<Reply<Boolean>> replies = await(router.removeAll(keys, deadline), deadline, () -> timedOut(keys.size()));
        List<@Nullable KeyslotException> problems = new ArrayList<>(keys.size());
        for (Reply<Boolean> reply : replies) {
            if (reply instanceof Reply.Refused<Boolean> refused) {
                problems.add(failures.of("removeAll", refused));
            } else if (reply instanceof Reply.Unknown<Boolean> unknown) {
                problems.add(failures.ofChange("removeAll", unknown));
            } else {
                problems.add(null);
            }
        }
        return problems;
    }

    /** Returns what is known of the entry as it is stored, or empty if its partition cannot be asked. */
    public Optional<Description> describe(EncodedKey key, Deadline deadline) {
        return ask(key, new Command.Describe(key), deadline) instanceof Reply.Done<Description> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    /** Returns the stamp of the entry as it is now, or empty if its partition cannot be asked. */
    private Optional<Long> stampNow(EncodedKey key, Deadline deadline) {
        return ask(key, new Command.Get(key), deadline) instanceof Reply.Done<Lookup> done
                ? Optional.of(done.value().stamp())
                : Optional.empty();
    }

    private <R> R valueOf(String operation, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw reply instanceof Reply.Refused<R> refused
                ? failures.of(operation, refused)
                : failures.ofChange(operation, (Reply.Unknown<R>) reply);
    }

    private <R> Reply<R> ask(EncodedKey key, Command<R> command, Deadline deadline) {
        return await(router.send(key.slot(), command, deadline), deadline, EntryStore::timedOut);
    }

    private <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
        return waiter.await(future, deadline, onTimeout);
    }

    private static <R> Reply<R> timedOut() {
        return Reply.unknown("no answer within the call's deadline", null);
    }

    private static <R> List<Reply<R>> timedOut(int count) {
        return Collections.nCopies(count, timedOut());
    }
}

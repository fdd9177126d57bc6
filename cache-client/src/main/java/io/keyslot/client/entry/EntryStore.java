// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Deadline;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Ticker;
import io.keyslot.client.routing.Waiter;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache, decoded, wherever they are. Each method waits for its answer as long as the budget lasts.
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
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    private final PartitionRouter router;
    private final PartitionCalls partitions;
    private final ValueCoder<V> coder;
    private final Failures failures;
    private final EntryObserver observer;
    private final ReadHistory history;
    private final Ticker ticker;

    public EntryStore(
            PartitionRouter router,
            Waiter waiter,
            ValueCoder<V> coder,
            Failures failures,
            EntryObserver observer,
            ReadHistory history,
            Ticker ticker) {
        this.router = router;
        this.partitions = new PartitionCalls(router, waiter);
        this.coder = coder;
        this.failures = failures;
        this.observer = observer;
        this.history = history;
        this.ticker = ticker;
    }

    /** Returns what is known of the entry, and lets it expire at another time unless that is {@code UNCHANGED}. */
    public Answer<V> get(EncodedKey key, Expiry access, CallBudget budget) {
        Command<Lookup> command = access.isUnchanged() ? new Command.Get(key) : new Command.GetAndExpire(key, access);
        return answer(key, "get", partitions.ask(key, command, budget), budget);
    }

    /** Returns what is known of the entries, in the order of the keys. */
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = partitions.getAll(keys, budget);
        List<Answer<V>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(answer(keys.get(i), "getAll", replies.get(i), budget));
        }
        return answers;
    }

    private Answer<V> answer(EncodedKey key, String operation, Reply<Lookup> reply, CallBudget budget) {
        if (reply instanceof Reply.Done<Lookup> done) {
            return decode(key, done.value(), budget);
        }
        return Answer.failed(
                reply instanceof Reply.Refused<Lookup> refused
                        ? failures.of(operation, refused)
                        : failures.ofRead(operation, (Reply.Unknown<Lookup>) reply));
    }

    private Answer<V> decode(EncodedKey key, Lookup lookup, CallBudget budget) {
        Envelope envelope = lookup.envelope();
        if (envelope == null) {
            return absence(lookup);
        }
        Optional<V> value = coder.decode(envelope);
        if (value.isPresent()) {
            Freshness freshness = Freshness.of(envelope.freshUntilMillis());
            return Answer.found(value.get(), envelope.stamp(), freshness, ticker.epochMillis());
        }
        observer.onUndecodable(coder.codecName());
        // Whether this succeeds does not matter: the entry is a miss now, and will be one for the next reader.
        partitions.ask(key, new Command.CompareAndRemove(key, envelope.stamp()), budget);
        return Answer.without(Answer.Kind.UNREADABLE);
    }

    private Answer<V> absence(Lookup lookup) {
        return switch (lookup.outcome()) {
            case FOUND, ABSENT -> Answer.without(Answer.Kind.ABSENT);
            case LEASED -> Answer.leased(lookup.leaseStamp());
            case NEGATIVE -> Answer.without(Answer.Kind.NEGATIVE);
            case OTHER_EPOCH -> unreadable(lookup, Answer.Kind.OTHER_EPOCH);
            case OTHER_KEY, NEWER_FORMAT, MALFORMED -> unreadable(lookup, Answer.Kind.UNREADABLE);
        };
    }

    private Answer<V> unreadable(Lookup lookup, Answer.Kind kind) {
        observer.onUnreadable(lookup.outcome());
        return Answer.without(kind);
    }

    /** Notes what a read of the application found, and returns why it missed; null if it did not. */
    public @Nullable MissCause note(EncodedKey key, Answer<V> answer) {
        if (answer.isPresent()) {
            history.found(key);
            return null;
        }
        return history.missed(key, answer.kind());
    }

    /** Returns the last read of the entry by this process, if it missed and is not forgotten. */
    public Optional<ReadHistory.Miss> lastMiss(EncodedKey key) {
        return history.lastMiss(key);
    }

    /**
     * Takes a lease if there is nothing in the entry's place; what is there afterwards is answered. The lease is ours if it
     * has this stamp.
     */
    public Answer<V> lease(EncodedKey key, long stamp, Expiry expiry, CallBudget budget) {
        return leased(key, stamp, partitions.ask(key, new Command.Lease(key, stamp, expiry), budget), budget);
    }

    private Answer<V> leased(EncodedKey key, long stamp, Reply<Lookup> reply, CallBudget budget) {
        if (reply instanceof Reply.Unknown) {
            abandon(key, stamp);
        }
        return answer(key, "lease", reply, budget);
    }

    /**
     * Gives up a lease that may be taken once a server that hangs goes on: nobody would renew or release it, and readers
     * would wait for it. Does not wait.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // if it is not removed now, it is before the partition is used again
    private void abandon(EncodedKey key, long stamp) {
        Deadline soon = Deadline.after(ticker, LONGEST_RELEASE);
        router.send(key.slot(), new Command.CompareAndRemove(key, stamp), soon).thenAccept(reply -> {
            if (!(reply instanceof Reply.Done)) {
                router.forget(List.of(key));
            }
        });
    }

    /** Takes leases where there is nothing, as {@link #lease}; the answers have the order of the commands. */
    public List<Answer<V>> leaseAll(List<Command.Lease> leases, CallBudget budget) {
        List<Reply<Lookup>> replies = partitions.askAll(leases, Command.Lease::key, budget);
        List<Answer<V>> answers = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            answers.add(leased(leases.get(i).key(), leases.get(i).stamp(), replies.get(i), budget));
        }
        return answers;
    }

    /**
     * Takes leases in place of whatever is there and is no entry, other leases included; returns for each, in the order of
     * the commands, whether it is ours. Does not throw if a partition cannot be asked: what follows will tell.
     */
    public List<Boolean> takeLeases(List<Command.Lease> leases, CallBudget budget) {
        List<Command.CompareAndSet> commands = leases.stream()
                .map(lease -> new Command.CompareAndSet(
                        lease.key(), Command.ABSENT, Envelope.lease(lease.stamp()), lease.expiry()))
                .toList();
        List<Reply<Boolean>> replies = partitions.askAll(commands, Command.CompareAndSet::key, budget);
        List<Boolean> taken = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            Reply<Boolean> reply = replies.get(i);
            if (reply instanceof Reply.Unknown) {
                abandon(leases.get(i).key(), leases.get(i).stamp());
            }
            taken.add(reply instanceof Reply.Done<Boolean> done && done.value());
        }
        return taken;
    }

    /** Marks a stale entry as being loaded again; returns whether it was still the one with the expected stamp. */
    public boolean claim(
            EncodedKey key, long expectedStamp, long newStamp, long freshUntil, long claimedUntil, CallBudget budget) {
        return claim(key, expectedStamp, newStamp, Freshness.claimed(freshUntil, claimedUntil), budget);
    }

    /** Takes back a claim, so that another process may load the entry at once. */
    public void unclaim(EncodedKey key, long claim, long freshUntil, CallBudget budget) {
        claim(key, claim, newStamp(), freshUntil, budget);
    }

    private boolean claim(EncodedKey key, long expectedStamp, long newStamp, long freshness, CallBudget budget) {
        Reply<Boolean> reply = partitions.ask(key, new Command.Claim(key, expectedStamp, newStamp, freshness), budget);
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    /**
     * Makes sure that what is stored under the keys now is not served any more: deletes it now, or before its partition is
     * used again. Does not wait.
     */
    public void forget(List<EncodedKey> keys) {
        keys.forEach(history::removed);
        router.forget(keys);
    }

    /** Returns the partition that owns the key, or empty if none does. */
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        return router.ownerOf(key.slot());
    }

    /** Returns whether a loaded value should be stored now: not all are at once where a partition has just come back. */
    public boolean admitsLoad(EncodedKey key) {
        return router.admitsLoad(key);
    }

    /** Returns a new stamp. */
    public long newStamp() {
        return coder.newStamp();
    }

    /**
     * Encodes a value for one write, before anything is sent or told to a writer.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the value is too large
     * @throws io.keyslot.cache.failure.CodecException if it has no encoded form
     */
    public Envelope encode(V value) {
        return coder.encode(value, 0);
    }

    /**
     * Encodes a value that is fresh until an instant, in milliseconds since 1970; 0 for as long as it is stored.
     *
     * @throws io.keyslot.cache.failure.LimitExceededException if the value is too large
     * @throws io.keyslot.cache.failure.CodecException if it has no encoded form
     */
    public Envelope encode(V value, long freshUntil) {
        return coder.encode(value, freshUntil);
    }

    /** Stores a value, whether or not there is an entry. */
    public void put(Command.Put put, CallBudget budget) {
        KeyslotException failure = failureOf(put, partitions.ask(put.key(), put, budget), budget);
        if (failure != null) {
            throw failure;
        }
    }

    /** Stores entries; returns why one was not stored, or null, in their order. */
    public List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.putAll(puts, budget);
        List<@Nullable KeyslotException> problems = new ArrayList<>(puts.size());
        for (int i = 0; i < puts.size(); i++) {
            problems.add(failureOf(puts.get(i), replies.get(i), budget));
        }
        return problems;
    }

    private @Nullable KeyslotException failureOf(Command.Put put, Reply<Boolean> reply, CallBudget budget) {
        if (reply instanceof Reply.Done) {
            history.stored(put.key(), put.onCreation());
            return null;
        }
        if (reply instanceof Reply.Refused<Boolean> refused) {
            if (refused.refusal() == Refusal.NOT_WRITABLE) {
                forget(List.of(put.key())); // a full server must not go on serving the older value
            }
            return failures.of("put", refused);
        }
        boolean applied = stampNow(put.key(), budget)
                .filter(stamp -> stamp == put.envelope().stamp())
                .isPresent();
        return applied ? null : failures.ofChange("put", (Reply.Unknown<Boolean>) reply);
    }

    /**
     * Stores a value if the entry still has the expected stamp, {@link Command#ABSENT} if there must be none.
     *
     * @return whether it did; if not, nothing was changed, and reading again tells why
     */
    public boolean compareAndSet(
            EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, CallBudget budget) {
        Reply<Boolean> reply =
                partitions.ask(key, new Command.CompareAndSet(key, expectedStamp, envelope, expiry), budget);
        if (!(reply instanceof Reply.Unknown<Boolean> unknown)) {
            forgetIfFull(key, expectedStamp, reply);
            boolean stored = valueOf("compareAndSet", reply);
            if (stored) {
                history.stored(key, expiry);
            }
            return stored;
        }
        Optional<Long> now = stampNow(key, budget);
        return now.filter(stamp -> stamp == envelope.stamp()).isPresent()
                || notApplied("compareAndSet", now, expectedStamp, unknown);
    }

    private void forgetIfFull(EncodedKey key, long expectedStamp, Reply<Boolean> reply) {
        if (expectedStamp != Command.ABSENT
                && reply instanceof Reply.Refused<Boolean> refused
                && refused.refusal() == Refusal.NOT_WRITABLE) {
            forget(List.of(key)); // as after a put that is refused
        }
    }

    /** Removes the entry if it still has the expected stamp; returns whether it did, and if not, nothing was changed. */
    public boolean compareAndRemove(EncodedKey key, long expectedStamp, CallBudget budget) {
        Reply<Boolean> reply = partitions.ask(key, new Command.CompareAndRemove(key, expectedStamp), budget);
        boolean removed = reply instanceof Reply.Unknown<Boolean> unknown
                ? notApplied("remove", stampNow(key, budget), expectedStamp, unknown)
                : valueOf("remove", reply);
        if (removed) {
            history.removed(key);
        }
        return removed;
    }

    /**
     * Returns false if the entry has the stamp that it had before: then the lost change was not applied, and will not be.
     * That there is no entry, as before, proves nothing: ours may have been there and be gone again.
     */
    private boolean notApplied(
            String operation, Optional<Long> now, long expectedStamp, Reply.Unknown<Boolean> unknown) {
        if (expectedStamp != Command.ABSENT
                && now.filter(stamp -> stamp == expectedStamp).isPresent()) {
            return false;
        }
        throw failures.ofChange(operation, unknown);
    }

    /** Lets the entry expire at another time if it still has the expected stamp; returns whether it had. */
    public boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget) {
        return valueOf("expire", partitions.ask(key, new Command.CompareAndExpire(key, expectedStamp, expiry), budget));
    }

    /** Has many entries expire at another time; those that were changed meanwhile stay as they are. */
    public void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget) {
        partitions.askAll(commands, Command.CompareAndExpire::key, budget);
    }

    /**
     * Stores many entries where the present ones have the expected stamps; returns for each, in their order, whether it was
     * stored. Does not throw if a partition cannot be asked. What says that there is no value is no entry.
     */
    public List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.askAll(commands, Command.CompareAndSet::key, budget);
        List<Boolean> stored = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            boolean done = replies.get(i) instanceof Reply.Done<Boolean> answer && answer.value();
            if (done && !commands.get(i).envelope().isNegative()) {
                history.stored(commands.get(i).key(), commands.get(i).expiry());
            }
            stored.add(done);
        }
        return stored;
    }

    /** Gives up leases; whether that succeeds does not matter, as they end by themselves. */
    public void releaseAll(List<Command.CompareAndRemove> releases, CallBudget budget) {
        partitions.askAll(releases, Command.CompareAndRemove::key, budget);
    }

    /** Removes the entry and returns it. */
    public Answer<V> getAndRemove(EncodedKey key, CallBudget budget) {
        history.removed(key);
        return removed(key, partitions.ask(key, new Command.GetAndRemove(key), budget), budget);
    }

    /** Removes the entries and returns them, in the order of the keys. */
    public List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget) {
        List<Command.GetAndRemove> commands =
                keys.stream().map(Command.GetAndRemove::new).toList();
        keys.forEach(history::removed);
        List<Reply<Lookup>> replies = partitions.askAll(commands, Command.GetAndRemove::key, budget);
        List<Answer<V>> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(removed(keys.get(i), replies.get(i), budget));
        }
        return answers;
    }

    private Answer<V> removed(EncodedKey key, Reply<Lookup> reply, CallBudget budget) {
        if (reply instanceof Reply.Unknown<Lookup> unknown) {
            return Answer.failed(failures.ofChange("remove", unknown));
        }
        return answer(key, "remove", reply, budget);
    }

    /** Removes the entries; returns why one was not removed, or null, in the order of the keys. */
    public List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.removeAll(keys, budget);
        List<@Nullable KeyslotException> problems = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Reply<Boolean> reply = replies.get(i);
            if (reply instanceof Reply.Refused<Boolean> refused) {
                problems.add(failures.of("removeAll", refused));
            } else if (reply instanceof Reply.Unknown<Boolean> unknown) {
                problems.add(failures.ofChange("removeAll", unknown));
            } else {
                history.removed(keys.get(i));
                problems.add(null);
            }
        }
        return problems;
    }

    /** Returns what is known of the entry as it is stored, or empty if its partition cannot be asked. */
    public Optional<Description> describe(EncodedKey key, CallBudget budget) {
        return partitions.ask(key, new Command.Describe(key), budget) instanceof Reply.Done<Description> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    /** Returns the stamp of the entry as it is now, or empty if its partition cannot be asked. */
    private Optional<Long> stampNow(EncodedKey key, CallBudget budget) {
        return partitions.ask(key, new Command.Get(key), budget) instanceof Reply.Done<Lookup> done
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
}

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
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Ticker;
import io.keyslot.client.time.Waiter;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one cache, decoded, wherever they are. Each method waits for its answer as long as the budget lasts.
 *
 * <ul>
 *   <li>Every method is atomic for each key against those of every other process.
 *   <li>A change whose answer was lost is looked up by its stamp, and made again if it was not executed; only if that says
 *       nothing is the outcome unknown.
 *   <li>Bytes that are not a value count as no entry; they are reported, and removed unless somebody has written since.
 * </ul>
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class EntryStore<V> {
    /** How often to look at an entry that others change at the same time. */
    private static final int MOST_LOOKS = 4;

    private final PartitionRouter router;
    private final PartitionCalls partitions;
    private final ValueCoder<V> coder;
    private final Failures failures;
    private final Answers<V> answers;
    private final LostWrites lostWrites;
    private final EntryLeases<V> leases;
    private final EntryReservations<V> reservations;
    private final EntryReads<V> reads;
    private final ReadHistory history;

    /**
     * Creates a store.
     *
     * @param sender who holds the entries
     */
    public EntryStore(
            PartitionRouter router,
            EntrySender sender,
            Waiter waiter,
            ValueCoder<V> coder,
            Failures failures,
            EntryObserver observer,
            ReadHistory history,
            Ticker ticker) {
        this.router = router;
        this.partitions = new PartitionCalls(router, sender, waiter);
        this.coder = coder;
        this.failures = failures;
        this.answers = new Answers<>(partitions, coder, failures, observer, ticker);
        this.reads = new EntryReads<>(partitions, partitions.reads(), answers);
        this.lostWrites = new LostWrites(partitions);
        this.leases = new EntryLeases<>(partitions, sender, answers, coder, ticker);
        this.reservations = new EntryReservations<>(partitions, answers, failures, leases);
        this.history = history;
    }

    /** Returns the leases and claims of those who find out the values of entries. */
    public EntryLeases<V> leases() {
        return leases;
    }

    /** Returns the places that are reserved for a writer of this process. */
    public EntryReservations<V> reservations() {
        return reservations;
    }

    /** Returns reads of the application, which a copy may answer where the owner of the slot cannot be asked. */
    public EntryReads<V> reads() {
        return reads;
    }

    /**
     * Returns reads of the application that prefer one partition. It answers from its copies if the cache is replicated;
     * of any other cache, the owner of the slot does.
     */
    public EntryReads<V> at(PartitionId partition) {
        return new EntryReads<>(partitions, partitions.readsAt(partition), answers);
    }

    /** Returns what the owner of the slot knows of the entry, and lets it expire at another time unless that is {@code UNCHANGED}. */
    public Answer<V> get(EncodedKey key, Expiry access, CallBudget budget) {
        Command<Lookup> command = access.isUnchanged() ? new Command.Get(key) : new Command.GetAndExpire(key, access);
        return answers.of(key, partitions.ask(key, command, budget), budget);
    }

    /** Returns what the owners of the slots know of the entries, in the order of the keys. */
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = partitions.getAll(keys, budget);
        return answers.ofAll(keys, replies, budget);
    }

    /** Notes what a read of the application found, and returns why it missed; null if it did not. */
    public @Nullable MissCause note(EncodedKey key, Answer<V> answer) {
        if (answer.isPresent()) {
            history.found(key);
            return null;
        }
        return history.missed(key, answer.kind());
    }

    /** As {@link #note}, of many entries. */
    public void noteAll(List<EncodedKey> keys, List<Answer<V>> answers) {
        history.readAll(keys, answers);
    }

    /** Returns the last read of the entry by this process, if it missed and is not forgotten. */
    public Optional<ReadHistory.Miss> lastMiss(EncodedKey key) {
        return history.lastMiss(key);
    }

    /**
     * Makes sure that what is stored under the keys now is not served any more: deletes it now, or before its partition is
     * used again. Does not wait.
     */
    public void forget(List<EncodedKey> keys) {
        keys.forEach(history::removed);
        partitions.forget(keys);
    }

    /** Returns the partition that owns the key, or empty if none does. */
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        return router.ownerOf(key.slot());
    }

    /** Returns whether a loaded value should be stored now: not all are at once where a partition has just come back. */
    public boolean admitsLoad(EncodedKey key) {
        return router.admitsLoad(key);
    }

    /** Returns an equal value that shares nothing with this one. */
    public V copy(V value) {
        return coder.copy(value);
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
        Reply<Boolean> reply = partitions.ask(put.key(), put, budget);
        if (reply instanceof Reply.Refused<Boolean> refused) {
            throw refusedPut(put, refused, budget);
        }
        if (reply instanceof Reply.Unknown<Boolean> unknown
                && lostWrites.settle(List.of(put), budget).isEmpty()) {
            throw failures.ofChange(budget.operation(), unknown);
        }
        history.stored(put.key(), put.onCreation());
    }

    /** Stores entries; returns why one was not stored, or null, in their order. */
    public List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.putAll(puts, budget);
        List<@Nullable KeyslotException> problems = new ArrayList<>(puts.size());
        List<Integer> lost = new ArrayList<>();
        long now = history.now();
        for (int i = 0; i < puts.size(); i++) {
            Command.Put put = puts.get(i);
            if (replies.get(i) instanceof Reply.Done) {
                history.stored(put.key(), put.onCreation(), now);
                problems.add(null);
            } else if (replies.get(i) instanceof Reply.Refused<Boolean> refused) {
                problems.add(refusedPut(put, refused, budget));
            } else {
                problems.add(failures.ofChange(budget.operation(), (Reply.Unknown<Boolean>) replies.get(i)));
                lost.add(i);
            }
        }
        if (!lost.isEmpty()) {
            BitSet done = lostWrites.settle(lost.stream().map(puts::get).toList(), budget);
            done.stream().mapToObj(lost::get).forEach(i -> {
                history.stored(puts.get(i).key(), puts.get(i).onCreation(), now);
                problems.set(i, null);
            });
        }
        return problems;
    }

    private KeyslotException refusedPut(Command.Put put, Reply.Refused<Boolean> refused, CallBudget budget) {
        forgetIfRefused(put.key(), refused);
        return failures.of(budget.operation(), refused);
    }

    /**
     * Stores a value if the entry still has the expected stamp, {@link Command#ABSENT} if there must be none.
     *
     * @return whether it did; if not, nothing was changed, and reading again tells why
     */
    public boolean compareAndSet(
            EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, CallBudget budget) {
        Command.CompareAndSet command = new Command.CompareAndSet(key, expectedStamp, envelope, expiry);
        boolean stored = changed(key, command, expectedStamp, envelope.stamp(), budget);
        if (stored) {
            history.stored(key, expiry);
        }
        return stored;
    }

    /** Makes a change that expects a stamp, and makes it again if its answer is lost and it was not executed. */
    private boolean changed(
            EncodedKey key, Command<Boolean> command, long expectedStamp, long writtenStamp, CallBudget budget) {
        Reply<Boolean> reply = partitions.ask(key, command, budget);
        if (reply instanceof Reply.Unknown<Boolean> unknown) {
            return lostWrites
                    .settle(key, command, expectedStamp, writtenStamp, budget)
                    .orElseThrow(() -> failures.ofChange(budget.operation(), unknown));
        }
        if (expectedStamp != Command.ABSENT) {
            forgetIfRefused(key, reply);
        }
        return valueOf(reply, budget);
    }

    /** A server that answers and takes no writes must not go on serving what was to be changed. */
    private void forgetIfRefused(EncodedKey key, Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused && refused.refusal().isOfWrites()) {
            forget(List.of(key));
        }
    }

    /** Removes the entry if it still has the expected stamp; returns whether it did, and if not, nothing was changed. */
    public boolean compareAndRemove(EncodedKey key, long expectedStamp, CallBudget budget) {
        Command.CompareAndRemove command = new Command.CompareAndRemove(key, expectedStamp);
        boolean removed = changed(key, command, expectedStamp, Command.ABSENT, budget);
        if (removed) {
            history.removed(key);
        }
        return removed;
    }

    /** Lets the entry expire at another time if it still has the expected stamp; returns whether it had. */
    public boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget) {
        return valueOf(partitions.ask(key, new Command.CompareAndExpire(key, expectedStamp, expiry), budget), budget);
    }

    /** Has many entries expire at another time; those that were changed meanwhile stay as they are. */
    public void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget) {
        partitions.askAll(commands, Command.CompareAndExpire::key, budget);
    }

    /**
     * Stores many entries where the present ones have the expected stamps; returns for each, in their order, whether it is
     * known to be stored. What became of a lost answer is looked up. Does not throw if a partition cannot be asked. What says
     * that there is no value is no entry.
     */
    public List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.askAll(commands, Command.CompareAndSet::key, budget);
        List<Boolean> stored = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            boolean done = isDone(replies.get(i)) || isDoneAfterAll(commands.get(i), replies.get(i), budget);
            if (done) {
                noteStored(commands.get(i));
            }
            stored.add(done);
        }
        return stored;
    }

    /** As {@link #setAll}, and does not look up what became of lost answers. */
    public void offerAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.askAll(commands, Command.CompareAndSet::key, budget);
        for (int i = 0; i < commands.size(); i++) {
            if (isDone(replies.get(i))) {
                noteStored(commands.get(i));
            }
        }
    }

    private boolean isDoneAfterAll(Command.CompareAndSet command, Reply<Boolean> reply, CallBudget budget) {
        return reply instanceof Reply.Unknown
                && lostWrites
                        .settle(
                                command.key(),
                                command,
                                command.expectedStamp(),
                                command.envelope().stamp(),
                                budget)
                        .orElse(false);
    }

    private static boolean isDone(Reply<Boolean> reply) {
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    private void noteStored(Command.CompareAndSet command) {
        if (!command.envelope().isNegative()) {
            history.stored(command.key(), command.expiry());
        }
    }

    /** Removes the entry and returns it. */
    public Answer<V> getAndRemove(EncodedKey key, CallBudget budget) {
        history.removed(key);
        Reply<Lookup> reply = partitions.ask(key, new Command.GetAndRemove(key), budget);
        forgetIfRefused(key, reply);
        return removed(key, reply, budget);
    }

    /** Removes the entries and returns them, in the order of the keys. */
    public List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget) {
        List<Command.GetAndRemove> commands =
                keys.stream().map(Command.GetAndRemove::new).toList();
        keys.forEach(history::removed);
        List<Reply<Lookup>> replies = partitions.askAll(commands, Command.GetAndRemove::key, budget);
        List<Answer<V>> removed = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            removed.add(removed(keys.get(i), replies.get(i), budget));
        }
        return removed;
    }

    private Answer<V> removed(EncodedKey key, Reply<Lookup> reply, CallBudget budget) {
        if (reply instanceof Reply.Unknown<Lookup> unknown) {
            return Answer.failed(failures.ofChange(budget.operation(), unknown));
        }
        return answers.of(key, reply, budget);
    }

    /** Removes the entries; returns why one was not removed, or null, in the order of the keys. */
    public List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Boolean>> replies = partitions.removeAll(keys, budget);
        List<@Nullable KeyslotException> problems = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            Reply<Boolean> reply = replies.get(i);
            if (reply instanceof Reply.Refused<Boolean> refused) {
                problems.add(failures.of(budget.operation(), refused));
            } else if (reply instanceof Reply.Unknown<Boolean> unknown) {
                problems.add(failures.ofChange(budget.operation(), unknown));
            } else {
                history.removed(keys.get(i));
                problems.add(null);
            }
        }
        return problems;
    }

    /**
     * Keeps entries only if they have these values, and nothing that could bring another one: what else is there is removed
     * now, or before its partition is used again.
     *
     * @param values what may stay, empty for nothing
     */
    public void keepOnly(Map<EncodedKey, Optional<Envelope>> values, CallBudget budget) {
        List<EncodedKey> keys = List.copyOf(values.keySet());
        for (int attempt = 0; attempt < MOST_LOOKS && !keys.isEmpty(); attempt++) {
            keys = othersThan(values, keys, budget);
        }
        if (!keys.isEmpty()) {
            forget(keys);
        }
    }

    /** Removes what has another value; returns the keys of which it is not known whether that was done. */
    private List<EncodedKey> othersThan(
            Map<EncodedKey, Optional<Envelope>> values, List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = partitions.getAll(keys, budget);
        List<EncodedKey> unknown = new ArrayList<>();
        List<Command.CompareAndRemove> others = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            if (!(replies.get(i) instanceof Reply.Done<Lookup> done)) {
                unknown.add(key);
            } else if (isOther(done.value(), values.getOrDefault(key, Optional.empty()))) {
                others.add(new Command.CompareAndRemove(key, done.value().stamp()));
            }
        }
        List<Reply<Boolean>> removed = partitions.askAll(others, Command.CompareAndRemove::key, budget);
        for (int i = 0; i < others.size(); i++) {
            if (!(removed.get(i) instanceof Reply.Done<Boolean> done && done.value())) {
                unknown.add(others.get(i).key());
            }
        }
        return unknown;
    }

    private static boolean isOther(Lookup now, Optional<Envelope> value) {
        Envelope entry = now.envelope();
        return switch (now.outcome()) {
            case FOUND ->
                entry != null
                        && (value.isEmpty()
                                || !entry.payload().equals(value.get().payload()));
            case LEASED -> true; // who has the lease may have loaded what was there before
            case NEGATIVE -> value.isPresent();
            case ABSENT, RESERVED, OUTDATED, BEING_DELETED, OTHER_EPOCH, OTHER_KEY, NEWER_FORMAT, MALFORMED -> false;
        };
    }

    /** Returns what is known of the entry as it is stored, or empty if its partition cannot be asked. */
    public Optional<Description> describe(EncodedKey key, CallBudget budget) {
        return partitions.ask(key, new Command.Describe(key), budget) instanceof Reply.Done<Description> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    private <R> R valueOf(Reply<R> reply, CallBudget budget) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw reply instanceof Reply.Refused<R> refused
                ? failures.of(budget.operation(), refused)
                : failures.ofChange(budget.operation(), (Reply.Unknown<R>) reply);
    }
}

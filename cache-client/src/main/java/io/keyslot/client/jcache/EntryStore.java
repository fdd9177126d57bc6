// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.partition.BulkCommand;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.routing.Call;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The decoded entries of one cache. Each method waits for its reply as long as the budget lasts. Thread-safe.
 * <ul>
 * <li>Each method is atomic for each key, across all processes.
 * <li>If a reply is lost, the entry's stamp tells whether the change was made, and a change that was not made is
 * repeated. The outcome is unknown only if that fails.
 * <li>Bytes that cannot be decoded count as no entry, and are reported and removed unless the entry has changed since.
 * </ul>
 *
 * @param writes the writes of this process, from which the state of an entry may be assumed
 * @param leases the leases and claims of those who find out the values of entries
 */
record EntryStore<V>(
        EntryCalls calls,
        ValueCoder<V> coder,
        Failures failures,
        CacheTelemetry telemetry,
        ReadHistory history,
        Answers<V> answers,
        RecentWrites writes,
        Leases<V> leases) {
    /** How often to look at an entry that others change at the same time. */
    private static final int MOST_CHECKS = 4;

    /**
     * Creates a store.
     *
     * @param writes the writes of this process, from which the state of an entry may be assumed
     * @param history the results of reads, from which the reason of a miss follows
     */
    static <V> EntryStore<V> of(
            EntryCalls calls,
            ValueCoder<V> coder,
            Failures failures,
            CacheTelemetry telemetry,
            RecentWrites writes,
            ReadHistory history,
            Ticker ticker) {
        Answers<V> answers = new Answers<>(calls, coder, failures, telemetry, ticker);
        return new EntryStore<>(
                calls,
                coder,
                failures,
                telemetry,
                history,
                answers,
                writes,
                new Leases<>(calls, failures, answers, coder, ticker));
    }

    /**
     * Reads an entry for the application. A replica may answer, and a near cache may keep the answer; a read that a change depends on
     * is {@link #get}. A missing partition is an answer, any other failure is thrown.
     *
     * @param access the new expiry of the entry, which the owner of the slot sets and then answers; {@code UNCHANGED} for none
     */
    Answer<V> read(EncodedKey key, Expiry access, CallBudget budget) {
        Reply<Lookup> reply = access.isUnchanged()
                ? calls.read(key, budget)
                : calls.ask(key, new Command.GetAndExpire(key, access), budget);
        Answer<V> answer = answers.of(key, reply, budget).knownOrMissing();
        record(key, answer);
        return answer;
    }

    private void record(EncodedKey key, Answer<V> answer) {
        if (answer.isPresent()) {
            history.hit(key);
        } else {
            history.miss(key, answer.kind().cause, telemetry);
        }
    }

    /** Sends the command of {@link #read} for a call that goes on when the reply is there. */
    CompletableFuture<?> readAhead(EncodedKey key, Expiry access, CallBudget budget) {
        return calls.sendAhead(
                budget,
                patience -> access.isUnchanged()
                        ? Call.read(key, patience)
                        : Call.of(key, new Command.GetAndExpire(key, access), patience));
    }

    /** As {@link #readAhead}, for {@link #readAll}. */
    CompletableFuture<?> readAllAhead(List<EncodedKey> keys, CallBudget budget) {
        return calls.sendAhead(budget, patience -> Call.of(new BulkCommand.Get(keys), patience, true));
    }

    /** As {@link #readAhead}, for {@link #get}. */
    CompletableFuture<?> getAhead(EncodedKey key, CallBudget budget) {
        return calls.sendAhead(budget, patience -> Call.of(key, new Command.Get(key), patience));
    }

    /** As {@link #read}, for several entries. The answers have the order of the keys. */
    List<Answer<V>> readAll(List<EncodedKey> keys, CallBudget budget) {
        List<Answer<V>> found = answers.ofAll(keys, calls.readAll(keys, budget), budget);
        for (int i = 0; i < keys.size(); i++) {
            record(keys.get(i), found.get(i).knownOrMissing());
        }
        return found;
    }

    /** Returns what the owner of the slot knows of the entry, whose expiry stays. */
    Answer<V> get(EncodedKey key, CallBudget budget) {
        return answers.of(key, calls.ask(key, new Command.Get(key), budget), budget);
    }

    /** Returns what the owners of the slots know of the entries, in the order of the keys. */
    List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = calls.getAll(keys, budget);
        return answers.ofAll(keys, replies, budget);
    }

    /**
     * Makes sure that what is stored under the keys now is not served any more: deletes it now, or before its partition is
     * used again. Does not wait.
     */
    void forget(List<EncodedKey> keys) {
        calls.removeLater(keys);
    }

    /**
     * Returns the entry that a conditional change may assume without reading it: the value that this process stored last,
     * if the value which it replaced was stored by this process, too; null if it has to be read.
     *
     * <p>So an entry that several processes change is rarely assumed. If this process makes a random share {@code p} of the
     * changes of an entry, a change takes {@code 2 + p - 2p²} round trips: one if {@code p} is 1, and at most 2.125, not
     * two.
     */
    @Nullable
    Answer<V> assumed(EncodedKey key) {
        Envelope envelope = writes.of(key);
        if (envelope == null) {
            return null;
        }
        try {
            V value = coder.decodeOrNull(key, envelope);
            return value == null ? null : Answer.fresh(value, envelope);
        } catch (KeyslotException e) {
            return null; // reading the entry reports the failure
        }
    }

    /** Records that a value replaced the one with this stamp; call it after {@link EntryChanges#stored}, which forgets it. */
    void assume(EncodedKey key, long replacedStamp, Envelope envelope) {
        if (envelope.freshUntilMillis() == 0 && coder.isOwn(replacedStamp)) {
            writes.keep(key, envelope);
        }
    }

    void forgetAssumed(EncodedKey key) {
        writes.forget(key);
    }

    void put(Command.Put put, CallBudget budget) {
        Reply<Boolean> reply = calls.change(put.key(), put, budget);
        if (!(reply instanceof Reply.Done)) {
            throw failures.ofChange(budget.operation(), reply);
        }
    }

    /** Stores entries; returns why one was not stored, or null, in their order. */
    List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget) {
        return problems(calls.putAll(puts, budget), budget);
    }

    private List<@Nullable KeyslotException> problems(List<Reply<Boolean>> replies, CallBudget budget) {
        List<@Nullable KeyslotException> problems = new ArrayList<>(replies.size());
        for (Reply<Boolean> reply : replies) {
            problems.add(reply instanceof Reply.Done ? null : failures.ofChange(budget.operation(), reply));
        }
        return problems;
    }

    /** Changes an entry if it has the expected stamp; returns whether it had, and if not, nothing was changed. */
    boolean change(Command.OfKey<Boolean> command, CallBudget budget) {
        return valueOf(calls.change(command.key(), command, budget), budget);
    }

    /** Lets the entry expire at another time if it still has the expected stamp; returns whether it had. */
    boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget) {
        return valueOf(calls.ask(key, new Command.CompareAndExpire(key, expectedStamp, expiry), budget), budget);
    }

    /**
     * Has many entries expire at another time; those that were changed meanwhile stay as they are. Throws only if a partition
     * refuses it for good.
     */
    void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget) {
        calls.askAll(commands, Command.CompareAndExpire::key, budget)
                .forEach(reply -> failures.requireNotForGood(budget.operation(), reply));
    }

    /**
     * Stores entries with the expected stamps; returns for each, in their order, whether it is known to be stored.
     * Looks up the outcome of lost replies. Does not throw if a partition cannot be asked. A marker for no value counts
     * as no entry.
     */
    List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        List<Boolean> stored = new ArrayList<>(commands.size());
        calls.setAll(commands, budget)
                .forEach(reply -> stored.add(reply instanceof Reply.Done<Boolean> done && done.value()));
        return stored;
    }

    /** As {@link #setAll}, without determining the outcome after a lost reply. Throws only if a partition refuses it for good. */
    void offerAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        calls.offerAll(commands, budget).forEach(reply -> failures.requireNotForGood(budget.operation(), reply));
    }

    Answer<V> getAndRemove(EncodedKey key, CallBudget budget) {
        return removed(key, calls.change(key, new Command.GetAndRemove(key), budget), budget);
    }

    /** Removes the entries and returns them, in the order of the keys. */
    List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = calls.getAndRemoveAll(
                keys.stream().map(Command.GetAndRemove::new).toList(), budget);
        List<Answer<V>> removed = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            removed.add(removed(keys.get(i), replies.get(i), budget));
        }
        return removed;
    }

    private Answer<V> removed(EncodedKey key, Reply<Lookup> reply, CallBudget budget) {
        return reply instanceof Reply.Unknown
                ? Answer.failed(failures.ofChange(budget.operation(), reply))
                : answers.of(key, reply, budget);
    }

    /** Removes the entries; returns why one was not removed, or null, in the order of the keys. */
    List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget) {
        return problems(calls.removeAll(keys, budget), budget);
    }

    /**
     * Keeps entries only if they have the given values (empty: none). Other values, and leases that could store one,
     * are removed now or before their partition is used again.
     */
    void keepOnly(Map<EncodedKey, Optional<Envelope>> values, CallBudget budget) {
        List<EncodedKey> keys = List.copyOf(values.keySet());
        for (int attempt = 0; attempt < MOST_CHECKS && !keys.isEmpty(); attempt++) {
            keys = othersThan(values, keys, budget);
        }
        if (!keys.isEmpty()) {
            forget(keys);
        }
    }

    /** Removes what has another value; returns the keys of which it is not known whether that was done. */
    private List<EncodedKey> othersThan(
            Map<EncodedKey, Optional<Envelope>> values, List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = calls.getAll(keys, budget);
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
        List<Reply<Boolean>> removed = calls.askAll(others, Command.CompareAndRemove::key, budget);
        for (int i = 0; i < others.size(); i++) {
            if (!(removed.get(i) instanceof Reply.Done<Boolean> done && done.value())) {
                unknown.add(others.get(i).key());
            }
        }
        return unknown;
    }

    /** Compares bytes: an equal value of another write may differ in encrypted form, and then is a miss. */
    private static boolean isOther(Lookup now, Optional<Envelope> value) {
        Envelope entry = now.envelope();
        return switch (now.outcome()) {
            case FOUND ->
                entry != null
                        && (value.isEmpty()
                                || !entry.payload().equals(value.get().payload()));
            case LEASED -> true; // who has the lease may have loaded what was there before
            case NEGATIVE -> value.isPresent();
            case ABSENT,
                    RESERVED,
                    OUTDATED,
                    BEING_DELETED,
                    OTHER_EPOCH,
                    OTHER_KEY,
                    NEWER_FORMAT,
                    OTHER_LAYOUT,
                    MALFORMED -> false;
        };
    }

    /**
     * Has the codec decode entries, which are not changed, even if it cannot; returns how many there are. Throws if a partition
     * cannot be asked.
     */
    int decodeAll(List<EncodedKey> keys, CallBudget budget) {
        int found = 0;
        List<Reply<Lookup>> replies = calls.getAll(keys, budget);
        for (int i = 0; i < keys.size(); i++) {
            if (!(replies.get(i) instanceof Reply.Done<Lookup> done)) {
                throw failures.ofRead(budget.operation(), replies.get(i));
            }
            Envelope envelope = done.value().envelope();
            if (envelope != null) {
                found++;
                try {
                    V unused = coder.decodeOrNull(keys.get(i), envelope);
                } catch (CodecException refused) {
                    // The caller's codec has recorded it.
                }
            }
        }
        return found;
    }

    /** Returns what is known of the entry as it is stored, or empty if its partition cannot be asked. */
    Optional<Description> describe(EncodedKey key, CallBudget budget) {
        return calls.ask(key, new Command.Describe(key), budget) instanceof Reply.Done<Description> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    private <R> R valueOf(Reply<R> reply, CallBudget budget) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw failures.ofChange(budget.operation(), reply);
    }
}

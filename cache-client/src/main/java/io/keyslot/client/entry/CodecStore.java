// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An {@link EntryStore} that decodes the replies of partitions. */
final class CodecStore<V> implements EntryStore<V> {
    /** How often {@link #keepOnly} checks an entry that other processes change at the same time. */
    private static final int MOST_CHECKS = 4;

    private final PartitionCalls partitions;
    private final EntryCalls calls;
    private final ValueCoder<V> coder;
    private final Failures failures;
    private final Answers<V> answers;
    private final AssumedEntries<V> assumed;
    private final Leases<V> leases;
    private final EntryReservations<V> reservations;
    private final EntryReads<V> reads;

    CodecStore(
            PartitionCalls partitions,
            EntryCalls calls,
            ValueCoder<V> coder,
            Answers<V> answers,
            AssumedEntries<V> assumed,
            ReadHistory history) {
        this.partitions = partitions;
        this.calls = calls;
        this.coder = coder;
        this.failures = answers.failures();
        this.answers = answers;
        this.assumed = assumed;
        this.leases = new Leases<>(partitions, answers, coder, answers.ticker());
        this.reservations = new EntryReservations<>(partitions, answers, failures, leases, answers.ticker());
        this.reads = new ObservedReads<>(
                new CodecReads<>(partitions, partitions.reads(), answers), history, answers.observer());
    }

    @Override
    public Leases<V> leases() {
        return leases;
    }

    @Override
    public EntryReservations<V> reservations() {
        return reservations;
    }

    @Override
    public AssumedEntries<V> assumed() {
        return assumed;
    }

    @Override
    public EntryReads<V> reads() {
        return reads;
    }

    @Override
    public Answer<V> get(EncodedKey key, Expiry access, CallBudget budget) {
        Command<Lookup> command = access.isUnchanged() ? new Command.Get(key) : new Command.GetAndExpire(key, access);
        return answers.of(key, calls.ask(key, command, budget), budget);
    }

    @Override
    public List<Answer<V>> getAll(List<EncodedKey> keys, CallBudget budget) {
        List<Reply<Lookup>> replies = calls.getAll(keys, budget);
        return answers.ofAll(keys, replies, budget);
    }

    @Override
    public void forget(List<EncodedKey> keys) {
        calls.forget(keys);
    }

    @Override
    public void clearing() {
        partitions.clearing();
    }

    @Override
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        return partitions.ownerOf(key);
    }

    @Override
    public boolean admitsLoad(EncodedKey key) {
        return partitions.admitsLoad(key);
    }

    @Override
    public V copy(V value) {
        return coder.copy(value);
    }

    @Override
    public long newStamp() {
        return coder.newStamp();
    }

    @Override
    public Envelope encode(V value) {
        return coder.encode(value, 0);
    }

    @Override
    public Envelope encode(V value, long freshUntil) {
        return coder.encode(value, freshUntil);
    }

    @Override
    public void put(Command.Put put, CallBudget budget) {
        Reply<Boolean> reply = calls.change(put.key(), put, budget);
        if (!(reply instanceof Reply.Done)) {
            throw failures.ofChange(budget.operation(), reply);
        }
    }

    @Override
    public List<@Nullable KeyslotException> putAll(List<Command.Put> puts, CallBudget budget) {
        return problems(calls.putAll(puts, budget), budget);
    }

    private List<@Nullable KeyslotException> problems(List<Reply<Boolean>> replies, CallBudget budget) {
        List<@Nullable KeyslotException> problems = new ArrayList<>(replies.size());
        for (Reply<Boolean> reply : replies) {
            problems.add(reply instanceof Reply.Done ? null : failures.ofChange(budget.operation(), reply));
        }
        return problems;
    }

    @Override
    public boolean compareAndSet(
            EncodedKey key, long expectedStamp, Envelope envelope, Expiry expiry, CallBudget budget) {
        return valueOf(
                calls.change(key, new Command.CompareAndSet(key, expectedStamp, envelope, expiry), budget), budget);
    }

    @Override
    public boolean compareAndRemove(EncodedKey key, long expectedStamp, CallBudget budget) {
        return valueOf(calls.change(key, new Command.CompareAndRemove(key, expectedStamp), budget), budget);
    }

    @Override
    public boolean compareAndExpire(EncodedKey key, long expectedStamp, Expiry expiry, CallBudget budget) {
        return valueOf(calls.ask(key, new Command.CompareAndExpire(key, expectedStamp, expiry), budget), budget);
    }

    @Override
    public void expireAll(List<Command.CompareAndExpire> commands, CallBudget budget) {
        calls.askAll(commands, Command.CompareAndExpire::key, budget)
                .forEach(reply -> failures.requireNotForGood(budget.operation(), reply));
    }

    @Override
    public List<Boolean> setAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        List<Boolean> stored = new ArrayList<>(commands.size());
        calls.setAll(commands, budget)
                .forEach(reply -> stored.add(reply instanceof Reply.Done<Boolean> done && done.value()));
        return stored;
    }

    @Override
    public void offerAll(List<Command.CompareAndSet> commands, CallBudget budget) {
        calls.offerAll(commands, budget).forEach(reply -> failures.requireNotForGood(budget.operation(), reply));
    }

    @Override
    public Answer<V> getAndRemove(EncodedKey key, CallBudget budget) {
        return removed(key, calls.change(key, new Command.GetAndRemove(key), budget), budget);
    }

    @Override
    public List<Answer<V>> getAndRemoveAll(List<EncodedKey> keys, CallBudget budget) {
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

    @Override
    public List<@Nullable KeyslotException> removeAll(List<EncodedKey> keys, CallBudget budget) {
        return problems(calls.removeAll(keys, budget), budget);
    }

    @Override
    public void keepOnly(Map<EncodedKey, Optional<Envelope>> values, CallBudget budget) {
        List<EncodedKey> keys = List.copyOf(values.keySet());
        for (int attempt = 0; attempt < MOST_CHECKS && !keys.isEmpty(); attempt++) {
            keys = othersThan(values, keys, budget);
        }
        if (!keys.isEmpty()) {
            forget(keys);
        }
    }

    /** Removes entries that have another value. Returns the keys whose state is unknown afterwards. */
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

    private static boolean isOther(Lookup now, Optional<Envelope> value) {
        Envelope entry = now.envelope();
        return switch (now.outcome()) {
            case FOUND ->
                entry != null
                        && (value.isEmpty()
                                || !entry.payload().equals(value.get().payload()));
            case LEASED -> true; // the lease holder may have loaded the previous value
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

    @Override
    public Optional<Description> describe(EncodedKey key, CallBudget budget) {
        return calls.ask(key, new Command.Describe(key), budget) instanceof Reply.Done<Description> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    @Override
    public Optional<ReplicaState> explainReads(EncodedKey key, CallBudget budget) {
        return partitions.explainReads(key, budget);
    }

    private <R> R valueOf(Reply<R> reply, CallBudget budget) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw failures.ofChange(budget.operation(), reply);
    }
}

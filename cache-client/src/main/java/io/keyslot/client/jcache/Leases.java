// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.Unanswered;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes and ends the leases on entries of one cache: those of loads, and the reservations of writers. Thread-safe. */
record Leases<V>(EntryCalls calls, Failures failures, Answers<V> answers, ValueCoder<V> coder, Ticker ticker) {
    private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

    /** Creates a lease on a missing entry; it is not yet taken. */
    Lease.OfMissing ofMissing(EncodedKey key) {
        return new Lease.OfMissing(key, coder.newStamp());
    }

    /** Creates a lease on a stale entry; it is not yet taken. */
    Lease.OfStale ofStale(EncodedKey key, Answer<V> stale) {
        return new Lease.OfStale(key, coder.newStamp(), stale.stamp(), stale.freshUntil());
    }

    /**
     * Takes leases on missing entries. Returns what is stored afterwards, in the order of the leases; a lease was taken
     * if the answer has its stamp. An interrupted call, or one that is refused for good, holds no lease.
     */
    List<Answer<V>> takeAll(List<Lease.OfMissing> leases, CallBudget budget) {
        List<Command.Lease> commands =
                leases.stream().map(Lease.OfMissing::taking).toList();
        List<Reply<Lookup>> replies = calls.askAll(commands, Command.Lease::key, budget);
        List<Answer<V>> taken = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            abandonIfUnknown(lease.key(), lease.stamp(), replies.get(i));
            taken.add(answers.of(lease.key(), replies.get(i), budget));
        }
        if (taken.stream().anyMatch(Answer::isError)) {
            abandonTaken(leases, taken);
        }
        return taken;
    }

    private void abandonTaken(List<Lease.OfMissing> leases, List<Answer<V>> answers) {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (answers.get(i).leaseStamp() == lease.stamp()) {
                abandon(lease.key(), lease.stamp());
            }
        }
    }

    /**
     * Takes leases on missing entries, replacing other leases; returns whether each was taken. Throws only if a
     * partition refuses it for good; if a partition cannot be asked, the following command fails as well.
     */
    List<Boolean> takeOverAll(List<Lease.OfMissing> leases, CallBudget budget) {
        List<Command.CompareAndSet> commands = leases.stream()
                .map(lease -> new Command.CompareAndSet(
                        lease.key(), Command.ABSENT, Envelope.lease(lease.stamp()), Lease.expiry()))
                .toList();
        List<Reply<Boolean>> replies = calls.askAll(commands, Command.CompareAndSet::key, budget);
        for (int i = 0; i < leases.size(); i++) {
            abandonIfUnknown(leases.get(i).key(), leases.get(i).stamp(), replies.get(i));
        }
        return replies.stream().map(reply -> isDone(reply, budget)).toList();
    }

    /** Takes leases on stale entries; returns whether each entry was unchanged. */
    List<Boolean> claimAll(List<Lease.OfStale> leases, CallBudget budget) {
        List<Command.Claim> commands =
                leases.stream().map(lease -> lease.taking(ticker)).toList();
        return calls.askAll(commands, Command.Claim::key, budget).stream()
                .map(reply -> isDone(reply, budget))
                .toList();
    }

    private boolean isDone(Reply<Boolean> reply, CallBudget budget) {
        failures.requireNotForGood(budget.operation(), reply);
        return reply instanceof Reply.Done<Boolean> done && done.value();
    }

    /**
     * Ends a lease that a hanging server may still grant later: it would not be renewed or released, and others would
     * wait for it. Does not wait. Since the call has given up, no other command for the lease follows this one.
     */
    private void abandonIfUnknown(EncodedKey key, long stamp, Reply<?> reply) {
        if (reply instanceof Reply.Unknown) {
            abandon(key, stamp);
        }
    }

    private void abandon(EncodedKey key, long stamp) {
        sendSoon(new Command.CompareAndRemove(key, stamp));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // retried before the partition is used again
    private void sendSoon(Command.OfKey<Boolean> release) {
        Patience soon = Patience.until(Deadline.after(ticker, LONGEST_RELEASE));
        calls.send(release.key(), release, soon).thenAccept(reply -> {
            if (release instanceof Command.CompareAndRemove && !(reply instanceof Reply.Done)) {
                calls.forget(List.of(release.key()));
            }
        });
    }

    void releaseAll(List<Lease> leases, CallBudget budget) {
        sendAll(
                leases.stream()
                        .map(lease -> lease.release(ticker, coder.newStamp()))
                        .toList(),
                budget);
    }

    void removeAll(List<Command.CompareAndRemove> removals, CallBudget budget) {
        sendAll(removals, budget);
    }

    /** Sends commands whose failure does not matter, as leases expire. An interrupted thread does not wait. */
    private void sendAll(List<? extends Command.OfKey<Boolean>> commands, CallBudget budget) {
        if (Unanswered.isInterrupted()) {
            commands.forEach(this::sendSoon);
        } else {
            calls.askAll(List.copyOf(commands), Command.OfKey::key, budget);
        }
    }

    /**
     * Reserves entries before the cache writer of this process is called, in the order of the keys. {@code expected} is the required stamp: {@link Command#ABSENT} for no
     * entry, {@link Command.Reserve#ANY} for any state.
     */
    List<Place<V>> reserveAll(List<EncodedKey> keys, long expected, CallBudget budget) {
        List<Command.Reserve> commands = keys.stream()
                .map(key -> new Command.Reserve(key, expected, coder.newStamp(), Lease.TIME_TO_LIVE.toMillis()))
                .toList();
        long start = ticker.nanos();
        List<Reply<Reservation>> replies = calls.askAll(commands, Command.Reserve::key, budget);
        List<Place<V>> places = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            places.add(placeOf(commands.get(i), replies.get(i), start, budget));
        }
        return places;
    }

    private Place<V> placeOf(Command.Reserve command, Reply<Reservation> reply, long start, CallBudget budget) {
        EncodedKey key = command.key();
        if (reply instanceof Reply.Done<Reservation> done) {
            Lookup now = done.value().now();
            if (now.mark() != command.stamp()) {
                return Place.without(key, now.isReserved() ? Outcome.BUSY : Outcome.CHANGED, null);
            }
            long left = done.value().expiresInMillis();
            Lease.OfWriter lease = new Lease.OfWriter(
                    key, command.stamp(), left < 0, start + TimeUnit.MILLISECONDS.toNanos(Math.max(0, left)));
            return new Place<>(key, Outcome.TAKEN, answers.of(key, Reply.done(now), budget), lease, null);
        }
        abandonIfUnknown(key, command.stamp(), reply);
        return Place.without(
                key,
                Outcome.FAILED,
                reply instanceof Reply.Unknown<Reservation> unknown
                        ? failures.ofReservation(budget.operation(), unknown)
                        : failures.ofRead(budget.operation(), reply));
    }

    enum Outcome {
        TAKEN,
        BUSY,
        /** The entry was reserved for another writer as long as the call waited. */
        CONTENDED,
        CHANGED,
        /** The partition could not be asked. There is no reservation, or only until the lease ends. */
        FAILED
    }

    /** The result of reserving one entry: the entry before and the lease if it was taken, otherwise the reason. */
    record Place<V>(
            EncodedKey key,
            Outcome outcome,
            Answer<V> before,
            Lease.@Nullable OfWriter lease,
            @Nullable KeyslotException failure) {
        /** Returns an entry that is reserved for another writer, for too long if there is a failure. */
        static <V> Place<V> busy(EncodedKey key, @Nullable KeyslotException tooLong) {
            return without(key, tooLong == null ? Outcome.BUSY : Outcome.CONTENDED, tooLong);
        }

        private static <V> Place<V> without(EncodedKey key, Outcome outcome, @Nullable KeyslotException failure) {
            return new Place<>(key, outcome, Answer.without(Answer.Kind.ABSENT), null, failure);
        }

        boolean isTaken() {
            return outcome == Outcome.TAKEN;
        }
    }
}

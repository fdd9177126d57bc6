// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reserves entries before the cache writer of this process is called. Thread-safe. */
public final class EntryReservations<V> {
    private final EntryCalls calls;
    private final Answers<V> answers;
    private final Failures failures;
    private final Leases<V> leases;
    private final Ticker ticker;

    EntryReservations(EntryCalls calls, Answers<V> answers, Failures failures, Leases<V> leases, Ticker ticker) {
        this.calls = calls;
        this.answers = answers;
        this.failures = failures;
        this.leases = leases;
        this.ticker = ticker;
    }

    public enum Outcome {
        TAKEN,
        BUSY,
        /** The entry was reserved for another writer as long as the call waited. */
        CONTENDED,
        CHANGED,
        /** The partition could not be asked. There is no reservation, or only until the lease ends. */
        FAILED
    }

    /** The result of reserving one entry: the entry before and the lease if it was taken, otherwise the reason. */
    public record Place<V>(
            EncodedKey key,
            Outcome outcome,
            Answer<V> before,
            Lease.@Nullable OfWriter lease,
            @Nullable KeyslotException failure) {
        /** Returns an entry that is reserved for another writer, for too long if there is a failure. */
        public static <V> Place<V> busy(EncodedKey key, @Nullable KeyslotException tooLong) {
            return without(key, tooLong == null ? Outcome.BUSY : Outcome.CONTENDED, tooLong);
        }

        private static <V> Place<V> without(EncodedKey key, Outcome outcome, @Nullable KeyslotException failure) {
            return new Place<>(key, outcome, Answer.without(Answer.Kind.ABSENT), null, failure);
        }

        public boolean isTaken() {
            return outcome == Outcome.TAKEN;
        }
    }

    /**
     * Reserves entries, in the order of the keys. {@code expected} is the required stamp: {@link Command#ABSENT} for no
     * entry, {@link Command.Reserve#ANY} for any state.
     */
    public List<Place<V>> takeAll(List<EncodedKey> keys, long expected, CallBudget budget) {
        List<Command.Reserve> commands = keys.stream()
                .map(key -> new Command.Reserve(key, expected, leases.newStamp(), Lease.TIME_TO_LIVE.toMillis()))
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
        leases.abandonIfUnknown(key, command.stamp(), reply);
        return Place.without(
                key,
                Outcome.FAILED,
                reply instanceof Reply.Unknown<Reservation> unknown
                        ? failures.ofReservation(budget.operation(), unknown)
                        : failures.of(budget.operation(), (Reply.Refused<Reservation>) reply));
    }
}

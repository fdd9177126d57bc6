// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.call.Failures;
import io.keyslot.client.call.PartitionCalls;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Reservation;
import io.keyslot.client.time.CallBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places of entries that are reserved for a writer of this process, before it is asked. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class EntryReservations<V> {
    private final PartitionCalls partitions;
    private final Answers<V> answers;
    private final Failures failures;
    private final EntryLeases<V> leases;

    EntryReservations(PartitionCalls partitions, Answers<V> answers, Failures failures, EntryLeases<V> leases) {
        this.partitions = partitions;
        this.answers = answers;
        this.failures = failures;
        this.leases = leases;
    }

    /** What came of reserving a place. */
    public enum Outcome {
        TAKEN,
        /** It is reserved for somebody else. */
        BUSY,
        /** Something else is there than expected. */
        CHANGED,
        /** The partition could not be asked. Nothing is reserved, or not for long. */
        FAILED
    }

    /**
     * A place that was to be reserved.
     *
     * @param before the entry, if it was taken
     * @param expiresInMillis the time that the entry had left; negative if it does not expire, or if there is none
     * @param failure why it failed, null if it did not
     */
    public record Reserved<V>(
            Outcome outcome,
            Answer<V> before,
            long expiresInMillis,
            @Nullable KeyslotException failure) {}

    /** Reserves places for a call, which is not done if that fails; the results have the order of the commands. */
    public List<Reserved<V>> takeAll(List<Command.Reserve> commands, CallBudget budget) {
        List<Reply<Reservation>> replies = commands.size() == 1
                ? List.of(partitions.ask(commands.get(0).key(), commands.get(0), budget))
                : partitions.askAll(commands, Command.Reserve::key, budget);
        List<Reserved<V>> taken = new ArrayList<>(commands.size());
        for (int i = 0; i < commands.size(); i++) {
            taken.add(reserved(commands.get(i), replies.get(i), budget));
        }
        return taken;
    }

    private Reserved<V> reserved(Command.Reserve command, Reply<Reservation> reply, CallBudget budget) {
        if (reply instanceof Reply.Done<Reservation> done) {
            Lookup now = done.value().now();
            if (now.mark() != command.stamp()) {
                Outcome outcome = now.isReserved() ? Outcome.BUSY : Outcome.CHANGED;
                return new Reserved<>(outcome, Answer.without(Answer.Kind.ABSENT), -1, null);
            }
            Answer<V> before = answers.of(command.key(), Reply.done(now), budget);
            return new Reserved<>(Outcome.TAKEN, before, done.value().expiresInMillis(), null);
        }
        if (reply instanceof Reply.Unknown<Reservation> unknown) {
            leases.abandon(command.key(), command.stamp());
            return failed(failures.ofReservation(budget.operation(), unknown));
        }
        return failed(failures.of(budget.operation(), (Reply.Refused<Reservation>) reply));
    }

    private static <V> Reserved<V> failed(KeyslotException failure) {
        return new Reserved<>(Outcome.FAILED, Answer.failed(failure), -1, failure);
    }

    /** Gives places back; whether that succeeds does not matter, as reservations end by themselves. */
    public void giveBackAll(List<Command.GiveBack> places, CallBudget budget) {
        partitions.askAll(places, Command.GiveBack::key, budget);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the outcome of writes whose reply was lost by the stamps of the entries, and repeats unexecuted writes.
 *
 * <p>The read follows the write on its connection, or on a new connection whose handshake has terminated the old one.
 * So by then the write has been executed, or never will be.
 * <ul>
 * <li>The entry has the stamp of the write: it was executed.
 * <li>The entry has the stamp that the write expected: it was not executed, and is sent again.
 * <li>A put expects no stamp. It is repeated on the condition that the entry still is as it was read.
 * <li>Anything else: the outcome is unknown.
 * </ul>
 *
 * <p>If entries are raw, a stamp identifies the value and not the write. Then puts are settled in the same way, since a put is done when its
 * value is stored. The outcome of a conditional write is unknown: another process may have stored the same value, or
 * restored the expected one.
 */
record LostWrites(EntryCalls calls, boolean areRaw) {
    static final int MOST_REPEATS = 2;

    private static final Reply<Boolean> TOO_OFTEN = Reply.refused(Refusal.OVERLOADED, "repeated too often");

    /** Returns which puts are done; the outcome of the others is unknown. */
    BitSet settle(List<Command.Put> puts, CallBudget budget) {
        BitSet done = new BitSet(puts.size());
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < puts.size(); i++) {
            open.add(i);
        }
        for (int repeats = 0; !open.isEmpty(); repeats++) {
            List<Attempt> attempts = look(puts, open, done, budget);
            if (repeats == MOST_REPEATS) {
                break;
            }
            open = repeat(attempts, done, budget);
        }
        return done;
    }

    private record Attempt(int position, Command.CompareAndSet command) {}

    /** Marks the puts that are done; returns the others as they have to be repeated. */
    private List<Attempt> look(List<Command.Put> puts, List<Integer> open, BitSet done, CallBudget budget) {
        List<Command.Get> reads =
                open.stream().map(i -> new Command.Get(puts.get(i).key())).toList();
        List<Reply<Lookup>> replies = calls.askAll(reads, Command.Get::key, budget);
        List<Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            int position = open.get(i);
            Command.Put put = puts.get(position);
            if (!(replies.get(i) instanceof Reply.Done<Lookup> found)) {
                continue;
            }
            long stamp = found.value().stamp();
            if (stamp == put.envelope().stamp()) {
                done.set(position);
            } else {
                Expiry expiry = stamp == Command.ABSENT ? put.onCreation() : put.onUpdate();
                attempts.add(
                        new Attempt(position, new Command.CompareAndSet(put.key(), stamp, put.envelope(), expiry)));
            }
        }
        return attempts;
    }

    /** Repeats puts; returns the positions of those that another read may settle. */
    private List<Integer> repeat(List<Attempt> attempts, BitSet done, CallBudget budget) {
        List<Reply<Boolean>> replies =
                calls.askAll(attempts.stream().map(Attempt::command).toList(), Command.CompareAndSet::key, budget);
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            int position = attempts.get(i).position();
            if (replies.get(i) instanceof Reply.Done<Boolean> answer && answer.value()) {
                done.set(position);
            } else if (!(replies.get(i) instanceof Reply.Refused)) {
                open.add(position);
            }
        }
        return open;
    }

    /** Returns the outcome of a change whose reply was lost, or empty if it is unknown. */
    Optional<Boolean> settle(Command.CompareAndSet set, CallBudget budget) {
        return settle(set.key(), set, set.expectedStamp(), set.envelope().stamp(), budget);
    }

    Optional<Boolean> settle(Command.CompareAndRemove removal, CallBudget budget) {
        return settle(removal.key(), removal, removal.expectedStamp(), Command.ABSENT, budget);
    }

    /**
     * Settles a change that expects a stamp, and leaves {@code written} ({@link Command#ABSENT}: no proof). Empty if
     * unknown.
     */
    private Optional<Boolean> settle(
            EncodedKey key, Command<Boolean> change, long expected, long written, CallBudget budget) {
        if (areRaw) {
            return Optional.empty();
        }
        for (int repeats = 0; ; repeats++) {
            Lookup now = lookup(key, budget);
            if (now != null && written != Command.ABSENT && now.stamp() == written) {
                return Optional.of(true);
            }
            if (now == null || !isAsExpected(now, expected)) {
                return Optional.empty();
            }
            Reply<Boolean> again = repeats < MOST_REPEATS ? calls.ask(key, change, budget) : TOO_OFTEN;
            if (again instanceof Reply.Done<Boolean> done) {
                return Optional.of(done.value());
            }
            if (again instanceof Reply.Refused) {
                // The absence of an entry proves nothing: the written one may have been removed again.
                return expected == Command.ABSENT ? Optional.empty() : Optional.of(false);
            }
        }
    }

    private static boolean isAsExpected(Lookup now, long expected) {
        return now.stamp() == expected || (expected != Command.ABSENT && now.leaseStamp() == expected);
    }

    private @Nullable Lookup lookup(EncodedKey key, CallBudget budget) {
        return calls.ask(key, new Command.Get(key), budget) instanceof Reply.Done<Lookup> done ? done.value() : null;
    }
}

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
 * Finds out by stamps what became of writes whose answer was lost, and makes them again if they were not executed.
 *
 * <p>What is read now comes behind the write on its connection, or on one whose handshake has ended that: so the write has
 * been executed by then, or never will be.
 *
 * <ul>
 *   <li>The entry has the stamp of the write: it is done.
 *   <li>It has the stamp that the write expected: it was not executed, and is sent again.
 *   <li>A put expects nothing. It is repeated on the condition that the entry is still what was read.
 *   <li>Anything else: nobody knows.
 * </ul>
 *
 * <p>If a stamp says which value it is, and not which write, a put is settled in the same way: that the value is there is what
 * it was to bring about. Of what expects something nobody knows: another one may have stored the same value, or have brought
 * back the one that was expected.
 */
final class LostWrites {
    /** A write is sent this often again. */
    static final int MOST_REPEATS = 2;

    private static final Reply<Boolean> TOO_OFTEN = Reply.refused(Refusal.OVERLOADED, "repeated too often");

    private final EntryCalls calls;
    private final StampMeaning stamps;

    LostWrites(EntryCalls calls, StampMeaning stamps) {
        this.calls = calls;
        this.stamps = stamps;
    }

    /** Returns which of the puts are done now; of the others, nobody knows. */
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

    /** A put that is made again. */
    private record Attempt(int position, Command.CompareAndSet command) {}

    /** Marks those that are done, and returns those that are not as they are to be repeated. */
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

    /** Returns the positions of those of which another look may tell more. */
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

    /** Returns what a change is answered whose answer was lost, empty if nobody knows. */
    Optional<Boolean> settle(Command.CompareAndSet set, CallBudget budget) {
        return settle(set.key(), set, set.expectedStamp(), set.envelope().stamp(), budget);
    }

    /** As above, of a removal. */
    Optional<Boolean> settle(Command.CompareAndRemove removal, CallBudget budget) {
        return settle(removal.key(), removal, removal.expectedStamp(), Command.ABSENT, budget);
    }

    /**
     * Settles a change that expects a stamp.
     *
     * @param written the stamp that the entry has if it was executed, {@link Command#ABSENT} if it tells nothing
     * @return what it is answered, empty if nobody knows
     */
    private Optional<Boolean> settle(
            EncodedKey key, Command<Boolean> change, long expected, long written, CallBudget budget) {
        if (stamps == StampMeaning.VALUE) {
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
                // That there is no entry, as before, proves nothing: ours may have been there and be gone again.
                return expected == Command.ABSENT ? Optional.empty() : Optional.of(false);
            }
        }
    }

    private static boolean isAsExpected(Lookup now, long expected) {
        return now.stamp() == expected || (expected != Command.ABSENT && now.leaseStamp() == expected);
    }

    /** Returns what there is now, or null if the partition cannot be asked. */
    private @Nullable Lookup lookup(EncodedKey key, CallBudget budget) {
        return calls.ask(key, new Command.Get(key), budget) instanceof Reply.Done<Lookup> done ? done.value() : null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a register holds: a text with its version, and who decides on the next value. Immutable.
 *
 * <p>Each value names its electors and those of the value before it: a majority of both must take it. So a change of the
 * electors is a change like any other, of as many at once as one likes.
 *
 * @param sequence rises by one with each value of a generation, and goes on in the next generation
 * @param version rises when the text changes
 * @param voters who decides
 * @param previous who decided the value before this one; nobody in the first value of a generation
 * @param operations the last changes, oldest first
 */
public record RegisterValue(
        long sequence, long version, String text, Voters voters, Voters previous, List<RegisterChange> operations) {
    /** Of more changes the oldest are forgotten: then nobody knows any more whether they were made. */
    public static final int MOST_OPERATIONS = 64;

    /** What is known of a change. */
    enum Trace {
        MADE,
        NOT_MADE,
        FORGOTTEN
    }

    public RegisterValue {
        operations = List.copyOf(operations);
    }

    /** Returns the first value of a generation that goes on from what was known before. */
    static RegisterValue first(long sequence, long version, String text, Voters voters, RegisterChange operation) {
        return new RegisterValue(sequence, version, text, voters, Voters.NONE, List.of(operation));
    }

    /** Returns whether this is the first value of its generation. */
    public boolean isFirst() {
        return previous.isNone();
    }

    /**
     * Returns whether those who decide on the next value are those who decided on this one. Otherwise a majority of both is
     * needed, and who has lost its memory counts in one of them for ever: one more value ends that.
     */
    public boolean isSettled() {
        return isFirst() || previous.equals(voters);
    }

    /** Returns the successor with another text and other electors. */
    RegisterValue withText(String id, String about, String nextText, Voters nextVoters) {
        return successor(new RegisterChange(id, version + 1, about), nextText, nextVoters);
    }

    /** Returns the successor with another electors and the same text. */
    RegisterValue withVoters(String id, Voters nextVoters) {
        return successor(new RegisterChange(id, version), text, nextVoters);
    }

    private RegisterValue successor(RegisterChange made, String nextText, Voters nextVoters) {
        List<RegisterChange> all = new ArrayList<>(operations);
        all.add(made);
        List<RegisterChange> last = all.subList(Math.max(0, all.size() - MOST_OPERATIONS), all.size());
        return new RegisterValue(sequence + 1, made.version(), nextText, nextVoters, voters, last);
    }

    /** Returns the version after an operation that is listed. */
    Optional<RegisterChange> operation(String id) {
        return operations.stream().filter(made -> made.id().equals(id)).findFirst();
    }

    /**
     * Returns what this value, if it was decided, says of a change that was begun on this version or a later one. It was not
     * made if all changes of the text since that version are listed, and it is not. A change of the electors raises no version, and may
     * have been made so long ago that it is listed no more: it finds what it has changed, and is not made again.
     */
    Trace traceOf(String id, long since) {
        if (operation(id).isPresent()) {
            return Trace.MADE;
        }
        boolean isComplete =
                operations.size() < MOST_OPERATIONS || operations.get(0).version() <= since;
        return isComplete ? Trace.NOT_MADE : Trace.FORGOTTEN;
    }

    /** Returns the instances of which a majority must take this value. */
    Set<PartitionId> acceptors() {
        Set<PartitionId> both = new TreeSet<>(voters.instances());
        both.addAll(previous.instances());
        return both;
    }

    /** The rest hardly tells two values apart that these do not. */
    @Override
    public int hashCode() {
        return Objects.hash(sequence, version, voters, operations);
    }
}

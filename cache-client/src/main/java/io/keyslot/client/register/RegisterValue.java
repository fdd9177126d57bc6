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
 * The value of a register: a text with its version, and the voters on the next value. Immutable.
 *
 * <p>Each value names its voters and those of the value before (none in the first value of a generation), and needs a
 * majority of both. So the voters change like anything else, any number at once. The sequence increases by one with
 * each value, across generations, and the version when the text changes.
 */
public record RegisterValue(
        long sequence, long version, String text, Voters voters, Voters previous, List<RegisterChange> operations) {
    /**
     * The number of last changes kept; whether an older one was made is unknown. As many of the older ones that are not
     * steps are listed too.
     */
    public static final int MOST_OPERATIONS = 64;

    enum Trace {
        MADE,
        NOT_MADE,
        FORGOTTEN
    }

    public RegisterValue {
        operations = List.copyOf(operations);
    }

    /** Returns the first value of a generation, which continues from what was known before. */
    static RegisterValue first(long sequence, long version, String text, Voters voters, RegisterChange operation) {
        return new RegisterValue(sequence, version, text, voters, Voters.NONE, List.of(operation));
    }

    public boolean isFirst() {
        return previous.isNone();
    }

    /**
     * Returns whether the voters on the next value are those of this one. Otherwise a majority of both is needed, and a
     * voter that has lost its state stays missing in one of them; one more value ends that.
     */
    public boolean isSettled() {
        return isFirst() || previous.equals(voters);
    }

    RegisterValue withText(String id, String about, String nextText, Voters nextVoters) {
        return successor(new RegisterChange(id, version + 1, about), nextText, nextVoters);
    }

    RegisterValue withVoters(String id, Voters nextVoters) {
        return successor(new RegisterChange(id, version), text, nextVoters);
    }

    private RegisterValue successor(RegisterChange made, String nextText, Voters nextVoters) {
        List<RegisterChange> all = new ArrayList<>(operations);
        all.add(made);
        int last = Math.max(0, all.size() - MOST_OPERATIONS);
        List<RegisterChange> kept =
                all.subList(0, last).stream().filter(RegisterChange::isKept).toList();
        List<RegisterChange> listed =
                new ArrayList<>(kept.subList(Math.max(0, kept.size() - MOST_OPERATIONS), kept.size()));
        listed.addAll(all.subList(last, all.size()));
        return new RegisterValue(sequence + 1, made.version(), nextText, nextVoters, voters, listed);
    }

    Optional<RegisterChange> operation(String id) {
        return operations.stream().filter(made -> made.id().equals(id)).findFirst();
    }

    /**
     * Returns whether a change that was begun at this version or a later one was made, given that this value was
     * decided. It was not made if all changes of the text since that version are listed and it is not among them. A
     * change of the voters does not increase the version and may no longer be listed; a repetition of it finds its
     * effect, and does not make it again.
     */
    Trace traceOf(String id, long since) {
        if (operation(id).isPresent()) {
            return Trace.MADE;
        }
        int last = operations.size() - MOST_OPERATIONS;
        boolean isComplete = last < 0 || operations.get(last).version() <= since;
        return isComplete ? Trace.NOT_MADE : Trace.FORGOTTEN;
    }

    /** Returns the instances of which a majority must accept this value. */
    Set<PartitionId> acceptors() {
        Set<PartitionId> both = new TreeSet<>(voters.instances());
        both.addAll(previous.instances());
        return both;
    }

    /** The other components hardly distinguish values that these do not. */
    @Override
    public int hashCode() {
        return Objects.hash(sequence, version, voters, operations);
    }
}

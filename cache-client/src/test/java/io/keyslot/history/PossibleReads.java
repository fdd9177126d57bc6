// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import io.keyslot.history.Linearizability.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether each read is possible by itself: its value was stored by an operation that had begun before the read ended, and no
 * acknowledged change came between the two. So nobody reads what is older than an acknowledged write, nor anything of a
 * write that was not done.
 *
 * <p>For reads of a cache and its database while one is ahead of the other: which of them come first is not asked, as that
 * may differ from read to read. No two operations store the same value.
 */
public final class PossibleReads {
    private final List<Operation> history;

    public PossibleReads(List<Operation> history) {
        this.history = List.copyOf(history);
    }

    /** Returns a finding for each read that cannot be. */
    public List<Finding> check() {
        List<Finding> findings = new ArrayList<>();
        for (Operation read : history) {
            if (read.outcome() == Outcome.OK && read.action().isRead() && isImpossible(read)) {
                findings.add(new Finding(read.key(), Verdict.NOT_LINEARIZABLE, "nothing explains " + read));
            }
        }
        return findings;
    }

    private boolean isImpossible(Operation read) {
        if (read.action() == Action.CONTAINS) {
            return Boolean.TRUE.equals(read.result())
                    && explanations(read, true).noneMatch(before -> isNewest(before, read));
        }
        if (read.result() instanceof Long value) {
            return explanations(read, true)
                    .filter(store -> value.equals(store.argument()))
                    .noneMatch(store -> isNewest(store, read));
        }
        // Only what reads through does not lose anything.
        return read.action() == Action.READ_THROUGH
                && changes(read).anyMatch(store -> isSure(store, read) && leaves(store) == Left.VALUE)
                && explanations(read, false).noneMatch(removal -> isNewest(removal, read));
    }

    private Stream<Operation> changes(Operation read) {
        return history.stream()
                .filter(operation -> operation.key().equals(read.key())
                        && !operation.action().isRead()
                        && operation.outcome() != Outcome.FAILED);
    }

    /** Returns what may have left a value, or nothing, by the time of a read. */
    private Stream<Operation> explanations(Operation read, boolean value) {
        return changes(read)
                .filter(change -> change.start() < read.end())
                .filter(change -> mayLeave(change, value ? Left.VALUE : Left.NOTHING));
    }

    /** Returns whether nothing that was acknowledged came between a change and a read. */
    private boolean isNewest(Operation change, Operation read) {
        return changes(read).noneMatch(later -> later.start() > change.end() && isSure(later, read));
    }

    /** Returns whether a change was done when a read began. */
    private static boolean isSure(Operation change, Operation read) {
        return change.outcome() == Outcome.OK && change.end() < read.start() && leaves(change) != Left.WHAT_WAS_THERE;
    }

    private static boolean mayLeave(Operation change, Left what) {
        boolean reports = change.outcome() == Outcome.OK && change.action() != Action.DELETE_PRESENT;
        return (reports ? leaves(change) : kind(change.action())) == what;
    }

    /** What there is after an operation. */
    private enum Left {
        VALUE,
        NOTHING,
        WHAT_WAS_THERE
    }

    private static Left leaves(Operation done) {
        return isDone(done.action(), done.result()) ? kind(done.action()) : Left.WHAT_WAS_THERE;
    }

    private static boolean isDone(Action action, @Nullable Object result) {
        return switch (action) {
            case PUT_IF_ABSENT, REPLACE, REPLACE_EXPECTED, REMOVE_EXPECTED -> Objects.equals(result, true);
            case GET_AND_REPLACE, TAKE -> result != null;
            case DELETE_PRESENT -> false; // it does not say so
            default -> true;
        };
    }

    private static Left kind(Action action) {
        return switch (action) {
            case REMOVE, DELETE, DELETE_PRESENT, REMOVE_EXPECTED, GET_AND_REMOVE, TAKE -> Left.NOTHING;
            default -> Left.VALUE;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import io.keyslot.history.Linearizability.Lasting;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a register holds, and until when: between two moments of the clock of operations, as nobody knows when within its
 * time an operation happened.
 *
 * @param value null for nothing, which it holds for ever
 * @param earliestEnd from when on it may be gone by itself
 * @param latestEnd from when on it is
 */
record Held(@Nullable Long value, long earliestEnd, long latestEnd) {
    static final Held NOTHING = new Held(null, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Entries live for whole milliseconds, and moments are not quite those of the clock. */
    private static final long IMPRECISION = TimeUnit.MILLISECONDS.toNanos(2);

    /** Returns whether it may have ended by itself when the operation happened. */
    boolean mayHaveEnded(Operation operation) {
        return value != null && operation.end() >= earliestEnd;
    }

    /** Returns whether it has ended by itself before the operation. */
    boolean hasEnded(Operation operation) {
        return value != null && operation.start() >= latestEnd;
    }

    /** Returns what is held after an operation has led to this. */
    Held after(Operation operation, @Nullable Long next, boolean isStored, Lasting lasting) {
        if (next == null) {
            return NOTHING;
        }
        if (isStored) {
            return lasting(operation, next, value == null ? Lasting.Event.CREATED : Lasting.Event.UPDATED, lasting);
        }
        if (operation.action() == Action.CONTAINS) {
            return this;
        }
        Held read = lasting(operation, next, Lasting.Event.READ, lasting);
        // What compares and finds something else may count as having read, or not; and what has read may say so too
        // late.
        return operation.action() == Action.GET && operation.end() < earliestEnd
                ? read
                : new Held(next, Math.min(earliestEnd, read.earliestEnd), Math.max(latestEnd, read.latestEnd));
    }

    private Held lasting(Operation operation, long next, Lasting.Event event, Lasting lasting) {
        long nanos = lasting.nanosAfter(event);
        if (nanos == Lasting.AS_BEFORE) {
            return new Held(next, earliestEnd, latestEnd);
        }
        if (nanos == Long.MAX_VALUE) {
            return new Held(next, Long.MAX_VALUE, Long.MAX_VALUE);
        }
        boolean isKnown = operation.outcome() == Outcome.OK;
        return new Held(
                next,
                operation.start() + nanos - IMPRECISION,
                isKnown ? operation.end() + nanos + IMPRECISION : Long.MAX_VALUE);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Linearizability;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What was called around a failover in which servers may lose what they have acknowledged: they copy to replicas afterwards. So nothing is
 * said of what entries hold meanwhile; before it, and after each entry was removed, everything must be as without a fault.
 *
 * @param operations of the load
 * @param began the moment before the fault
 * @param removals one for each key, when the servers agreed again
 */
record FailoverHistory(List<Operation> operations, long began, List<Operation> removals) {
    /** What was sent and not answered is not done any more after that: its connection was replaced meanwhile, and ended. */
    private static final Duration LATEST = Duration.ofSeconds(1);

    /** What may have been done was done before its end, or never. */
    static final Linearizability.Sealing SEALING = (unknown, later) -> true;

    /** Returns what must be linearizable of the time before the fault. What was under way may have been done or not. */
    List<Operation> before() {
        return operations.stream()
                .filter(operation -> operation.start() < began)
                .flatMap(operation -> operation.end() < began && operation.outcome() != Outcome.UNKNOWN
                        ? Stream.of(operation)
                        : perhaps(operation))
                .toList();
    }

    /** Returns what must be linearizable of the time after the removals, with these. */
    List<Operation> after() {
        Map<String, Operation> removed = new HashMap<>();
        removals.forEach(removal -> removed.put(removal.key(), removal));
        List<Operation> after = new ArrayList<>(removals);
        for (Operation operation : operations) {
            Operation removal = removed.get(operation.key());
            if (removal != null && operation.start() > removal.end()) {
                after.add(operation);
            } else if (removal != null && latestEnd(operation) > removal.start()) {
                perhaps(operation).forEach(after::add);
            }
        }
        return after;
    }

    /** Returns the moment after which a call is not done any more. */
    private static long latestEnd(Operation operation) {
        return operation.end() + (operation.outcome() == Outcome.UNKNOWN ? LATEST.toNanos() : 0);
    }

    /** Returns a change that was done or not, nothing for a read or for what was certainly not done. */
    private static Stream<Operation> perhaps(Operation operation) {
        return operation.action().isRead() || operation.outcome() == Outcome.FAILED
                ? Stream.empty()
                : Stream.of(new Operation(
                        operation.caller(),
                        operation.action(),
                        operation.key(),
                        operation.argument(),
                        operation.expected(),
                        Outcome.UNKNOWN,
                        null,
                        operation.start(),
                        latestEnd(operation),
                        operation.note()));
    }

    /** Returns calls that answered what nobody has ever written, whenever that was. */
    List<Operation> invented() {
        Map<String, NavigableSet<Long>> written = new HashMap<>();
        operations.forEach(operation -> {
            NavigableSet<Long> values = written.computeIfAbsent(operation.key(), key -> new TreeSet<>());
            if (operation.argument() != null) {
                values.add(operation.argument());
            }
        });
        return operations.stream()
                .filter(operation -> operation.outcome() == Outcome.OK
                        && operation.result() instanceof Long value
                        && !isWritten(value, written.getOrDefault(operation.key(), new TreeSet<>())))
                .toList();
    }

    /** An increment makes the next number of one that was written, some thousand times at most. */
    private static boolean isWritten(long value, NavigableSet<Long> written) {
        Long before = written.floor(value);
        return before != null && value - before < RegisterScript.GAP;
    }
}

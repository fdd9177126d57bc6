// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.history.Linearizability;
import io.keyslot.history.Linearizability.Finding;
import io.keyslot.history.Linearizability.Lasting;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.history.PossibleReads;
import io.keyslot.search.Scenario.Backing;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the callers and listeners of a run were told can be.
 *
 * @param isCleared whether somebody has cleared the cache, and so ended reservations of writers
 * @param told what each process was told, if they have listeners
 */
record Judgement(Scenario scenario, boolean isCleared, List<Operation> operations, List<Told> told) {
    /** Returns what is wrong, null if nothing is. */
    @Nullable
    String problem() {
        String wrong = wrongOrder();
        return wrong == null ? wrongEvents() : wrong;
    }

    private @Nullable String wrongOrder() {
        if (scenario.database() == Backing.WRITE_BEHIND && !(scenario.isCalm() && scenario.processes() == 1)) {
            return scenario.processes() == 1
                    ? impossibleReads()
                    : null; // until it is written, only the process that wrote it knows
        }
        if (scenario.database().isWritten() && isCleared) {
            return impossibleReads(); // who had reserved an entry answers what it was, and others may have come between
        }
        boolean areReadsOrdered = !scenario.database().isWritten() || scenario.isCalm();
        List<Operation> history = operations.stream()
                .filter(operation -> areReadsOrdered
                        || !operation.action().isRead()
                        || operation.process().equals("database"))
                .toList();
        List<Finding> findings = new Linearizability(model(), this::seals, lasting()).check(history);
        if (findings.isEmpty() && !areReadsOrdered) {
            return impossibleReads();
        }
        return findings.isEmpty() ? null : findings.toString();
    }

    /**
     * While a change is under way, or its outcome is unknown, a read that asks the database may be ahead of others. Each of
     * them has to be possible all the same.
     */
    private @Nullable String impossibleReads() {
        List<Finding> findings = new PossibleReads(operations).check();
        return findings.isEmpty() ? null : findings.toString();
    }

    private Model model() {
        if (scenario.database().isWritten()) {
            return Model.BACKED;
        }
        return scenario.isCalm() && scenario.database() == Backing.NOTHING ? Model.STRICT : Model.LOSSY;
    }

    /** What is in a database stays there. */
    private Lasting lasting() {
        Lifetime lifetime = scenario.lifetime();
        if (!lifetime.isTimed() || scenario.database().isWritten()) {
            return Lasting.FOR_EVER;
        }
        return event -> switch (event) {
            case CREATED -> Lifetime.NANOS;
            case UPDATED -> lifetime.isFromUpdate() ? Lifetime.NANOS : Lasting.AS_BEFORE;
            case READ -> lifetime.isFromAccess() ? Lifetime.NANOS : Lasting.AS_BEFORE;
        };
    }

    /**
     * Nothing of a call is done after it has returned, but what was sent. That a later command of the same process was
     * answered says that what was sent before has arrived, or never will.
     */
    private boolean seals(Operation unknown, Operation later) {
        if (scenario.database().isWritten() || unknown.note().equals(Recorder.REPETITION)) {
            return true;
        }
        return later.process().equals(unknown.process()) && isAnswered(later);
    }

    /** Whether a partition has said so: a loader may have, if there is one. */
    private static boolean isAnswered(Operation operation) {
        return switch (operation.action()) {
            case PUT, DELETE -> true;
            case GET_OR_LOAD -> false;
            default -> operation.result() != null;
        };
    }

    private @Nullable String wrongEvents() {
        if (!scenario.isCalm() || told.isEmpty()) {
            return null;
        }
        for (Operation operation : operations) {
            Long stored = stored(operation);
            if (stored != null) {
                int process = Integer.parseInt(operation.process());
                long events = told.get(process).events().stream()
                        .filter(event -> event.key().equals(operation.key()) && Objects.equals(event.value(), stored))
                        .count();
                long expected = hasStored(operation) ? 1 : 0;
                boolean more = scenario.database().isRead(); // it may have been loaded from the database again
                if (operation.outcome() != Outcome.UNKNOWN && (events < expected || (events > expected && !more))) {
                    return "%d events of %s".formatted(events, operation);
                }
            }
        }
        return null;
    }

    /** Returns whether an operation removes the entry if it is done. */
    static boolean removes(Operation operation) {
        return switch (operation.action()) {
            case REMOVE, REMOVE_EXPECTED, GET_AND_REMOVE, DELETE, DELETE_PRESENT, TAKE -> true;
            default -> false;
        };
    }

    private static @Nullable Long stored(Operation operation) {
        return switch (operation.action()) {
            case PUT, PUT_IF_ABSENT, REPLACE, REPLACE_EXPECTED, GET_AND_PUT, GET_AND_REPLACE, EXCHANGE ->
                operation.argument();
            default -> null;
        };
    }

    private static boolean hasStored(Operation operation) {
        return operation.outcome() == Outcome.OK
                && switch (operation.action()) {
                    case PUT_IF_ABSENT, REPLACE, REPLACE_EXPECTED -> Boolean.TRUE.equals(operation.result());
                    case GET_AND_REPLACE -> operation.result() != null;
                    default -> true;
                };
    }
}

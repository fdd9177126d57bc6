// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks for an order in which one register per key could have answered what the callers were told: one that respects
 * which operation ended before which began.
 *
 * <ul>
 *   <li>Keys are independent of each other, so each has a search of its own.
 *   <li>An operation that failed has not happened. One whose outcome is unknown may happen at any time after it began,
 *       also after all others, which nobody can tell from never; but not after what it is {@linkplain Sealing sealed} by.
 *   <li>Some histories with many unknown outcomes are too hard: the search is exponential in the worst case. It gives up
 *       after {@link #MAX_CONFIGURATIONS} and says so.
 * </ul>
 *
 * <p>J. M. Wing and C. Gong, <i>Testing and verifying concurrent objects</i>, 1993, have the search; G. Lowe, <i>Testing
 * for linearizability</i>, 2017, remembers configurations (operations done, state) from which it failed before.
 */
public final class Linearizability {
    /** Configurations of one key; about 150 MB of them at 2,000 operations. */
    static final int MAX_CONFIGURATIONS = 500_000;

    private final Model model;
    private final Sealing sealing;
    private final Lasting lasting;
    private final int limit;

    public Linearizability(Model model) {
        this(model, Sealing.NEVER);
    }

    public Linearizability(Model model, Sealing sealing) {
        this(model, sealing, Lasting.FOR_EVER);
    }

    public Linearizability(Model model, Sealing sealing, Lasting lasting) {
        this(model, sealing, lasting, MAX_CONFIGURATIONS);
    }

    Linearizability(Model model, int limit) {
        this(model, Sealing.NEVER, Lasting.FOR_EVER, limit);
    }

    private Linearizability(Model model, Sealing sealing, Lasting lasting, int limit) {
        this.model = model;
        this.sealing = sealing;
        this.lasting = lasting;
        this.limit = limit;
    }

    /** Returns a finding for each key whose history is not known to be linearizable. */
    public List<Finding> check(List<Operation> history) {
        Map<String, List<Operation>> byKey = new TreeMap<>();
        history.forEach(operation ->
                byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation));
        List<Finding> findings = new ArrayList<>();
        byKey.forEach((key, operations) -> {
            LinearizabilitySearch search = new LinearizabilitySearch(operations, model, sealing, lasting, limit);
            Verdict verdict = search.run();
            if (verdict != Verdict.LINEARIZABLE) {
                findings.add(new Finding(key, verdict, search.explanation()));
            }
        });
        return findings;
    }

    /** What a register may do by itself. */
    public enum Model {
        /** Nothing. */
        STRICT,
        /** It may lose what it holds at any time. What was lost does not come back. */
        LOSSY,
        /**
         * It is in a database, and what the calls see of it may be lost at any time; reads that go through to the database
         * see it. A call whose outcome is unknown has changed the database before it ended, or never.
         */
        BACKED
    }

    /** Says what ends the time in which an operation of unknown outcome may still happen. */
    @FunctionalInterface
    public interface Sealing {
        /** Nothing does. */
        Sealing NEVER = (unknown, later) -> false;

        /**
         * Returns whether it has happened, or never will, when another one that began after it had ended happens.
         *
         * @param later its outcome is known
         */
        boolean seals(Operation unknown, Operation later);
    }

    /** Says how long a register holds something. */
    @FunctionalInterface
    public interface Lasting {
        /** As long as it held it before. */
        long AS_BEFORE = -1;

        /** Until it is changed. */
        Lasting FOR_EVER = event -> Long.MAX_VALUE;

        /** What happened to what a register holds. */
        enum Event {
            CREATED,
            UPDATED,
            READ
        }

        /** Returns for how many nanoseconds it holds it from then on, {@link #AS_BEFORE}, or {@code Long.MAX_VALUE}. */
        long nanosAfter(Event event);
    }

    /** One key, and how far the search came. */
    public record Finding(String key, Verdict verdict, String explanation) {
        @Override
        public String toString() {
            return "%s is %s: %s".formatted(key, verdict, explanation);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.history;

import io.keyslot.history.Linearizability.Lasting;
import io.keyslot.history.Linearizability.Model;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The search for one key: depth first, an operation at a time.
 *
 * <p>An operation may be the next one if nothing that is left over ended before it began. A configuration is not entered
 * if the same known operations had led to the same value before with fewer of unknown outcome: what can follow this one
 * could follow that one as well. Not safe for use by several threads; runs once.
 */
final class LinearizabilitySearch {
    private static final int OPERATIONS_SHOWN = 12;

    private final Model model;
    private final Lasting lasting;
    private final int limit;
    private final List<Operation> known;
    private final List<Operation> unknown;

    private final Map<Reached, List<BitSet>> entered = new HashMap<>();
    private final Deque<Frame> path = new ArrayDeque<>();
    private int configurations;
    private int longest = -1;
    private String explanation = "";

    private final List<BitSet> sealing;

    LinearizabilitySearch(
            List<Operation> history, Model model, Linearizability.Sealing sealing, Lasting lasting, int limit) {
        this.model = model;
        this.lasting = lasting;
        this.limit = limit;
        this.known = byStart(history, Outcome.OK).toList();
        this.unknown = byStart(history, Outcome.UNKNOWN)
                .filter(operation -> !operation.action().isRead())
                .toList();
        this.sealing =
                unknown.stream().map(operation -> sealing(operation, sealing)).toList();
    }

    /** Returns the known operations before which the one of unknown outcome happens, if at all. */
    private BitSet sealing(Operation operation, Linearizability.Sealing sealing) {
        BitSet before = new BitSet();
        for (int i = 0; i < known.size(); i++) {
            Operation later = known.get(i);
            before.set(i, later.start() > operation.end() && sealing.seals(operation, later));
        }
        return before;
    }

    private static Stream<Operation> byStart(List<Operation> history, Outcome outcome) {
        return history.stream()
                .filter(operation -> operation.outcome() == outcome)
                .sorted(Comparator.comparingLong(Operation::start));
    }

    Verdict run() {
        enter(new Configuration(new BitSet(), new BitSet(), Held.NOTHING), "");
        while (!path.isEmpty()) {
            Frame frame = path.element();
            if (frame.configuration.known.cardinality() == known.size()) {
                return Verdict.LINEARIZABLE;
            }
            if (configurations > limit) {
                explanation = "more than %d configurations of %d operations".formatted(limit, known.size());
                return Verdict.TOO_HARD;
            }
            if (frame.moves.hasNext()) {
                Move move = frame.moves.next();
                Configuration next = move.apply(frame.configuration, model, lasting);
                if (next != null && isNew(next)) {
                    enter(next, move.toString());
                }
            } else {
                explain(frame.configuration);
                path.pop();
            }
        }
        return Verdict.NOT_LINEARIZABLE;
    }

    private boolean isNew(Configuration configuration) {
        List<BitSet> before = entered.computeIfAbsent(
                new Reached(configuration.known, configuration.held), reached -> new ArrayList<>(1));
        return before.stream().noneMatch(fewer -> isSubset(fewer, configuration.unknown))
                && before.add(configuration.unknown);
    }

    private static boolean isSubset(BitSet part, BitSet whole) {
        BitSet rest = (BitSet) part.clone();
        rest.andNot(whole);
        return rest.isEmpty();
    }

    private void enter(Configuration configuration, String how) {
        configurations++;
        path.push(new Frame(configuration, moves(configuration).iterator(), how));
    }

    /** What explains an answer comes first, what explains anything comes last. */
    @SuppressWarnings("ReferenceEquality") // a constant
    private List<Move> moves(Configuration from) {
        long firstEnd = firstEnd(from.known);
        List<Move> moves = new ArrayList<>();
        for (int i = from.known.nextClearBit(0); i < known.size(); i = from.known.nextClearBit(i + 1)) {
            if (known.get(i).start() > firstEnd) {
                break;
            }
            Move move = new Move(known.get(i), i, false);
            if (lasting == Lasting.FOR_EVER && move.isOnlySeeing(from.held.value(), model) && !sealsAnother(i, from)) {
                return List.of(move);
            }
            moves.add(move);
        }
        for (int i = from.unknown.nextClearBit(0); i < unknown.size(); i = from.unknown.nextClearBit(i + 1)) {
            if (unknown.get(i).start() > firstEnd) {
                break;
            }
            if (from.known.intersects(sealing.get(i))) {
                continue;
            }
            moves.add(new Move(unknown.get(i), i, false));
        }
        if (from.held.value() != null) {
            moves.addAll(moves.stream()
                    .filter(move -> mayBeLost(from.held, move.operation))
                    .map(Move::afterLoss)
                    .toList());
        }
        return moves;
    }

    private boolean mayBeLost(Held held, Operation next) {
        return switch (model) {
            case STRICT -> held.mayHaveEnded(next);
            case LOSSY -> true;
            case BACKED -> next.action() != Action.READ_THROUGH;
        };
    }

    /** Returns whether an operation of unknown outcome could happen before this known one only. */
    private boolean sealsAnother(int index, Configuration from) {
        for (int i = from.unknown.nextClearBit(0); i < unknown.size(); i = from.unknown.nextClearBit(i + 1)) {
            if (sealing.get(i).get(index) && !from.known.intersects(sealing.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first end of an operation that is left over: what began later cannot be the next. */
    private long firstEnd(BitSet taken) {
        long first = Long.MAX_VALUE;
        for (int i = taken.nextClearBit(0); i < known.size(); i = taken.nextClearBit(i + 1)) {
            if (known.get(i).start() > first) {
                break;
            }
            first = Math.min(first, known.get(i).end());
        }
        return first;
    }

    /** Remembers the dead end that came farthest, which is what a reader wants to see. */
    private void explain(Configuration deadEnd) {
        int happened = deadEnd.known.cardinality();
        if (happened <= longest) {
            return;
        }
        longest = happened;
        StringBuilder text = new StringBuilder("after %d of %d operations, with %s as value, none of these can be next:"
                .formatted(happened, known.size(), deadEnd.held.value()));
        moves(deadEnd).forEach(move -> text.append("\n  ").append(move));
        text.append("\nThe last ones in this order, the newest first:");
        path.stream()
                .limit(OPERATIONS_SHOWN)
                .forEach(frame -> text.append("\n  ").append(frame.how));
        explanation = text.toString();
    }

    String explanation() {
        return explanation;
    }

    /** Which operations have happened, and what they have led to. The sets do not change any more. */
    private record Configuration(BitSet known, BitSet unknown, Held held) {}

    /** A configuration but for the operations of unknown outcome. */
    private record Reached(BitSet known, Held held) {}

    /** A configuration on the path, what was not tried from there yet, and the move that led to it. */
    private record Frame(Configuration configuration, Iterator<Move> moves, String how) {}

    /** An operation that may be the next one. */
    private record Move(Operation operation, int index, boolean isAfterLoss) {
        Move afterLoss() {
            return new Move(operation, index, true);
        }

        /**
         * Returns whether it explains its answer and changes nothing: then no order is better than to take it now, unless it
         * would answer the same if it changed something later.
         */
        boolean isOnlySeeing(@Nullable Long state, Model model) {
            Action.Step step = operation.action().on(state, operation);
            return Objects.equals(step.state(), state)
                    && Objects.equals(step.result(), operation.result())
                    && !operation.action().isBlind()
                    && !(model == Model.BACKED && step.stores());
        }

        /** Returns where it leads, or null if it would answer otherwise than it did, or has no effect that anybody sees. */
        @Nullable
        Configuration apply(Configuration from, Model model, Lasting lasting) {
            if (!isAfterLoss && from.held.hasEnded(operation)) {
                return null;
            }
            Held before = isAfterLoss ? Held.NOTHING : from.held;
            Action.Step step = operation.action().on(before.value(), operation);
            Held held = model == Model.BACKED && !step.stores()
                    ? from.held
                    : before.after(operation, step.state(), step.stores(), lasting);
            if (operation.outcome() == Outcome.OK) {
                return Objects.equals(step.result(), operation.result())
                        ? new Configuration(with(from.known, index), from.unknown, held)
                        : null;
            }
            return held.equals(from.held) ? null : new Configuration(from.known, with(from.unknown, index), held);
        }

        private static BitSet with(BitSet set, int index) {
            BitSet larger = (BitSet) set.clone();
            larger.set(index);
            return larger;
        }

        @Override
        public String toString() {
            return isAfterLoss ? operation + " (the value was lost before)" : operation.toString();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A sorted set: elements in the order of their scores. */
final class SortedSetModel implements AggregateModel {
    private final ScoreOrder order;
    private long sizeBytes;

    SortedSetModel() {
        this(new ScoreOrder());
    }

    private SortedSetModel(ScoreOrder order) {
        this.order = order;
    }

    @Override
    public AggregateKind kind() {
        return AggregateKind.SORTED_SET;
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return operation.isWrite() ? change(operation, arguments) : read(operation, arguments);
    }

    private @Nullable Object read(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_SCORE -> score(arguments.get(0));
            case SORTED_RANK -> order.rank(arguments.get(0));
            case SORTED_SIZE -> (long) order.size();
            case SORTED_COUNT ->
                (long) between(arguments.get(0), arguments.get(1)).size();
            case SORTED_BY_RANK -> byRank(arguments, order.all());
            case SORTED_BY_RANK_DESCENDING -> byRank(arguments, order.all().descendingSet());
            case SORTED_BY_SCORE -> first(arguments.get(2), between(arguments.get(0), arguments.get(1)));
            case SORTED_BY_SCORE_DESCENDING ->
                first(
                        arguments.get(2),
                        between(arguments.get(1), arguments.get(0)).descendingSet());
            case SORTED_BY_ELEMENT -> order.between(arguments.get(0), arguments.get(1), most(arguments.get(2)));
            default -> throw OperationArguments.notFor(this, operation);
        };
    }

    private Object change(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_ADD -> add(arguments);
            case SORTED_INCREMENT -> increment(arguments.get(0), arguments.get(1));
            case SORTED_REMOVE -> OperationArguments.count(arguments, this::remove);
            case SORTED_REMOVE_BY_SCORE -> removeAll(between(arguments.get(0), arguments.get(1)));
            case SORTED_POLL_FIRST -> order.size() == 0 ? List.of() : poll(order.first());
            case SORTED_POLL_LAST -> order.size() == 0 ? List.of() : poll(order.last());
            default -> throw OperationArguments.notFor(this, operation);
        };
    }

    private @Nullable Element score(Element element) {
        Double score = order.score(element);
        return score == null ? null : Score.text(score);
    }

    private NavigableSet<ScoreOrder.Scored> between(Element lowest, Element highest) {
        return order.between(Score.of(lowest), Score.of(highest));
    }

    private List<Element> byRank(List<Element> arguments, NavigableSet<ScoreOrder.Scored> ordered) {
        return ScoreOrder.at(IndexRange.of(arguments.get(0), arguments.get(1), order.size()), ordered);
    }

    private static List<Element> first(Element limit, NavigableSet<ScoreOrder.Scored> ordered) {
        long most = most(limit);
        int size = ordered.size();
        return ScoreOrder.at(new IndexRange(0, most < 0 ? size : (int) Math.min(most, size)), ordered);
    }

    private static long most(Element limit) {
        return Long.parseLong(limit.text());
    }

    private long add(List<Element> scoresAndElements) {
        // Reads all scores before adding the first: a malformed one must not leave a partial change.
        double[] scores = new double[scoresAndElements.size() / 2];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Score.of(scoresAndElements.get(2 * i));
        }
        int before = order.size();
        for (int i = 0; i < scores.length; i++) {
            put(scoresAndElements.get(2 * i + 1), scores[i]);
        }
        return (long) order.size() - before;
    }

    private void put(Element element, double score) {
        if (order.put(element, score) == null) {
            sizeBytes += OperationArguments.bytes(element) + OVERHEAD_BYTES;
        }
    }

    private Element increment(Element delta, Element element) {
        Double present = order.score(element);
        double sum = (present == null ? 0 : present) + Score.of(delta);
        if (Double.isNaN(sum)) {
            throw new ImpossibleOperationException("the sum of the infinities is not a number");
        }
        put(element, sum);
        return Score.text(sum);
    }

    private boolean remove(Element element) {
        boolean wasThere = order.remove(element);
        sizeBytes -= wasThere ? OperationArguments.bytes(element) + OVERHEAD_BYTES : 0;
        return wasThere;
    }

    private long removeAll(NavigableSet<ScoreOrder.Scored> view) {
        List<ScoreOrder.Scored> removed = List.copyOf(view);
        removed.forEach(scored -> remove(scored.element()));
        return removed.size();
    }

    private List<Element> poll(ScoreOrder.Scored scored) {
        remove(scored.element());
        return List.of(scored.element(), Score.text(scored.score()));
    }

    @Override
    public List<Element> elements() {
        return ScoreOrder.at(new IndexRange(0, order.size()), order.all());
    }

    @Override
    public void addAll(List<Element> elements) {
        for (int i = 0; i < elements.size(); i += 2) {
            put(elements.get(i), Score.of(elements.get(i + 1)));
        }
    }

    @Override
    public boolean isEmpty() {
        return order.size() == 0;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public AggregateModel copy() {
        SortedSetModel copy = new SortedSetModel(order.copy());
        copy.sizeBytes = sizeBytes;
        return copy;
    }

    /** Converts the score of a sorted set's element to text and back. */
    static final class Score {
        /** Whole numbers below this are written without a fraction. */
        private static final double LARGEST_WHOLE = 1e17;

        private Score() {}

        /** Returns a score as a number, {@code inf} or {@code -inf}; throws {@link IllegalArgumentException} for NaN. */
        public static Element text(double score) {
            if (Double.isNaN(score)) {
                throw new IllegalArgumentException("A score is NaN; it must be a number or an infinity");
            }
            if (Double.isInfinite(score)) {
                return Element.of(score > 0 ? "inf" : "-inf");
            }
            return Math.abs(score) < LARGEST_WHOLE && score == Math.rint(score)
                    ? Element.of((long) score)
                    : Element.of(Double.toString(score));
        }

        /** Parses a score, written here or by a server; never returns -0. Throws {@link IllegalArgumentException}. */
        public static double of(Element text) {
            double score = switch (text.text()) {
                case "inf", "+inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                default -> number(text.text());
            };
            // Double.compare distinguishes -0 from 0, a server does not.
            return score + 0.0;
        }

        private static double number(String text) {
            try {
                double score = Double.parseDouble(text);
                if (!Double.isNaN(score)) {
                    return score;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("A score is not a number", e);
            }
            throw new IllegalArgumentException("A score is not a number");
        }
    }

    /** Elements ordered by score, and by their bytes for equal scores. */
    private static final class ScoreOrder {
        /** Comes before all others. */
        private static final Element EMPTY = Element.of(new byte[0]);

        private final Map<Element, Double> scores = new HashMap<>();
        private final NavigableSet<Scored> ordered =
                new TreeSet<>(Comparator.comparingDouble(Scored::score).thenComparing(Scored::element));

        record Scored(Element element, double score) {}

        @Nullable
        Double put(Element element, double score) {
            Double before = scores.put(element, score);
            if (before != null) {
                ordered.remove(new Scored(element, before));
            }
            ordered.add(new Scored(element, score));
            return before;
        }

        boolean remove(Element element) {
            Double before = scores.remove(element);
            return before != null && ordered.remove(new Scored(element, before));
        }

        @Nullable
        Double score(Element element) {
            return scores.get(element);
        }

        int size() {
            return scores.size();
        }

        /** Returns a view of all elements, from the lowest score up. */
        NavigableSet<Scored> all() {
            return Collections.unmodifiableNavigableSet(ordered);
        }

        /** Returns the number of elements before this one, or null if it is missing. */
        @Nullable
        Long rank(Element element) {
            Double score = scores.get(element);
            return score == null
                    ? null
                    : Long.valueOf(ordered.headSet(new Scored(element, score)).size());
        }

        /** Returns a view of the elements with scores in a range, both bounds inclusive. */
        NavigableSet<Scored> between(double lowest, double highest) {
            if (lowest > highest) {
                return Collections.emptyNavigableSet();
            }
            NavigableSet<Scored> above = ordered.tailSet(new Scored(EMPTY, lowest), true);
            // The upper bound is the start of the next score. Adding 0.0 avoids -0.
            return highest == Double.POSITIVE_INFINITY
                    ? above
                    : above.headSet(new Scored(EMPTY, Math.nextUp(highest) + 0.0), false);
        }

        /** Returns at most {@code most} elements between two, exclusive, provided that all have the same score. */
        List<Element> between(Element from, Element to, long most) {
            List<Element> found = new ArrayList<>();
            if (!ordered.isEmpty()) {
                Scored first = new Scored(from, ordered.first().score());
                for (Scored next : ordered.tailSet(first, true)) {
                    if (found.size() == most || next.element().compareTo(to) >= 0) {
                        break;
                    }
                    found.add(next.element());
                }
            }
            return Collections.unmodifiableList(found);
        }

        /** Returns alternating elements and scores at a range of positions. */
        static List<Element> at(IndexRange range, Collection<Scored> ordered) {
            List<Element> found = new ArrayList<>(2 * range.size());
            Iterator<Scored> rest = ordered.iterator();
            for (int i = 0; i < range.to(); i++) {
                Scored next = rest.next();
                if (i >= range.from()) {
                    found.add(next.element());
                    found.add(SortedSetModel.Score.text(next.score()));
                }
            }
            return Collections.unmodifiableList(found);
        }

        ScoreOrder copy() {
            ScoreOrder copy = new ScoreOrder();
            copy.scores.putAll(scores);
            copy.ordered.addAll(ordered);
            return copy;
        }

        Scored first() {
            return Objects.requireNonNull(ordered.first());
        }

        Scored last() {
            return Objects.requireNonNull(ordered.last());
        }
    }
}

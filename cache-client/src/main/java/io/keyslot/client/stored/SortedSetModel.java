// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.client.stored.AggregateModel.ImpossibleOperationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A sorted set: elements in the order of their scores. */
final class SortedSetModel extends AggregateModel {
    /** Whole numbers below this are written without a fraction. */
    private static final double LARGEST_WHOLE = 1e17;

    /** Comes before all others. */
    private static final Element EMPTY = Element.of(new byte[0]);

    private final Map<Element, Double> scores = new HashMap<>();

    /** By score, and by their bytes for equal scores. */
    private final NavigableSet<Scored> ordered =
            new TreeSet<>(Comparator.comparingDouble(Scored::score).thenComparing(Scored::element));

    private record Scored(Element element, double score) {}

    SortedSetModel() {
        super(AggregateKind.SORTED_SET);
    }

    @Override
    public @Nullable Object execute(AggregateOperation operation, List<Element> arguments) {
        return operation.isWrite() ? change(operation, arguments) : read(operation, arguments);
    }

    private @Nullable Object read(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_SCORE -> score(arguments.get(0));
            case SORTED_RANK -> rank(arguments.get(0));
            case SORTED_SIZE -> (long) scores.size();
            case SORTED_COUNT ->
                (long) between(arguments.get(0), arguments.get(1)).size();
            case SORTED_BY_RANK -> byRank(arguments, ordered);
            case SORTED_BY_RANK_DESCENDING -> byRank(arguments, ordered.descendingSet());
            case SORTED_BY_SCORE -> first(arguments.get(2), between(arguments.get(0), arguments.get(1)));
            case SORTED_BY_SCORE_DESCENDING ->
                first(
                        arguments.get(2),
                        between(arguments.get(1), arguments.get(0)).descendingSet());
            case SORTED_BY_ELEMENT -> between(arguments.get(0), arguments.get(1), most(arguments.get(2)));
            default -> throw refusal(operation);
        };
    }

    private Object change(AggregateOperation operation, List<Element> arguments) {
        return switch (operation) {
            case SORTED_ADD -> add(arguments);
            case SORTED_INCREMENT -> increment(arguments.get(0), arguments.get(1));
            case SORTED_REMOVE -> count(arguments, this::remove);
            case SORTED_REMOVE_BY_SCORE -> removeAll(between(arguments.get(0), arguments.get(1)));
            case SORTED_POLL_FIRST -> isEmpty() ? List.of() : poll(ordered.first());
            case SORTED_POLL_LAST -> isEmpty() ? List.of() : poll(ordered.last());
            default -> throw refusal(operation);
        };
    }

    private @Nullable Element score(Element element) {
        Double score = scores.get(element);
        return score == null ? null : text(score);
    }

    /** Returns the number of elements before this one, or null if it is missing. */
    private @Nullable Long rank(Element element) {
        Double score = scores.get(element);
        return score == null
                ? null
                : Long.valueOf(ordered.headSet(new Scored(element, score)).size());
    }

    /** Returns a view of the elements with scores in a range, both bounds inclusive. */
    private NavigableSet<Scored> between(Element lowest, Element highest) {
        double from = parse(lowest);
        double to = parse(highest);
        if (from > to) {
            return Collections.emptyNavigableSet();
        }
        NavigableSet<Scored> above = ordered.tailSet(new Scored(EMPTY, from), true);
        // The upper bound is the start of the next score. Adding 0.0 avoids -0.
        return to == Double.POSITIVE_INFINITY ? above : above.headSet(new Scored(EMPTY, Math.nextUp(to) + 0.0), false);
    }

    /** Returns at most {@code most} elements between two, exclusive, provided that all have the same score. */
    private List<Element> between(Element from, Element to, long most) {
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

    private List<Element> byRank(List<Element> arguments, NavigableSet<Scored> all) {
        return at(IndexRange.of(arguments.get(0), arguments.get(1), scores.size()), all);
    }

    private static List<Element> first(Element limit, NavigableSet<Scored> view) {
        long most = most(limit);
        int size = view.size();
        return at(new IndexRange(0, most < 0 ? size : (int) Math.min(most, size)), view);
    }

    /** Returns alternating elements and scores at a range of positions. */
    private static List<Element> at(IndexRange range, Collection<Scored> view) {
        List<Element> found = new ArrayList<>(2 * range.size());
        Iterator<Scored> rest = view.iterator();
        for (int i = 0; i < range.to(); i++) {
            Scored next = rest.next();
            if (i >= range.from()) {
                found.add(next.element());
                found.add(text(next.score()));
            }
        }
        return Collections.unmodifiableList(found);
    }

    private static long most(Element limit) {
        return Long.parseLong(limit.text());
    }

    private long add(List<Element> scoresAndElements) {
        // Reads all scores before adding the first: a malformed one must not leave a partial change.
        double[] added = new double[scoresAndElements.size() / 2];
        for (int i = 0; i < added.length; i++) {
            added[i] = parse(scoresAndElements.get(2 * i));
        }
        int before = scores.size();
        for (int i = 0; i < added.length; i++) {
            put(scoresAndElements.get(2 * i + 1), added[i]);
        }
        return (long) scores.size() - before;
    }

    private void put(Element element, double score) {
        Double before = scores.put(element, score);
        if (before == null) {
            sizeBytes += bytes(element) + OVERHEAD_BYTES;
        } else {
            ordered.remove(new Scored(element, before));
        }
        ordered.add(new Scored(element, score));
    }

    private Element increment(Element delta, Element element) {
        Double present = scores.get(element);
        double sum = (present == null ? 0 : present) + parse(delta);
        if (Double.isNaN(sum)) {
            throw new ImpossibleOperationException("the sum of the infinities is not a number");
        }
        put(element, sum);
        return text(sum);
    }

    private boolean remove(Element element) {
        Double before = scores.remove(element);
        if (before == null) {
            return false;
        }
        sizeBytes -= bytes(element) + OVERHEAD_BYTES;
        return ordered.remove(new Scored(element, before));
    }

    private long removeAll(NavigableSet<Scored> view) {
        List<Scored> removed = List.copyOf(view);
        removed.forEach(scored -> remove(scored.element()));
        return removed.size();
    }

    private List<Element> poll(Scored scored) {
        remove(scored.element());
        return List.of(scored.element(), text(scored.score()));
    }

    @Override
    public List<Element> elements() {
        return at(new IndexRange(0, scores.size()), ordered);
    }

    @Override
    public void addAll(List<Element> elements) {
        for (int i = 0; i < elements.size(); i += 2) {
            put(elements.get(i), parse(elements.get(i + 1)));
        }
    }

    @Override
    public boolean isEmpty() {
        return scores.isEmpty();
    }

    /** Returns a score as a number, {@code inf} or {@code -inf}; throws {@link IllegalArgumentException} for NaN. */
    private static Element text(double score) {
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
    private static double parse(Element text) {
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

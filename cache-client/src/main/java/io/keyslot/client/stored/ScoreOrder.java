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

/** Elements ordered by score, and by their bytes for equal scores. */
final class ScoreOrder {
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
                found.add(Score.text(next.score()));
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

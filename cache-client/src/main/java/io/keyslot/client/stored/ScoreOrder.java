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

/** Elements with scores, in the order of these; those of one score in the order of their bytes. */
final class ScoreOrder {
    /** Comes before all others. */
    private static final Element EMPTY = Element.of(new byte[0]);

    private final Map<Element, Double> scores = new HashMap<>();
    private final NavigableSet<Scored> ordered =
            new TreeSet<>(Comparator.comparingDouble(Scored::score).thenComparing(Scored::element));

    /** An element in its place. */
    record Scored(Element element, double score) {}

    /** Returns the score before, or null. */
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

    /** Returns them all, from the lowest score up. A view. */
    NavigableSet<Scored> all() {
        return Collections.unmodifiableNavigableSet(ordered);
    }

    /** Returns how many come before this element, or null if it is not there. */
    @Nullable
    Long rank(Element element) {
        Double score = scores.get(element);
        return score == null
                ? null
                : Long.valueOf(ordered.headSet(new Scored(element, score)).size());
    }

    /** Returns those with scores from one to another, both inclusive. A view. */
    NavigableSet<Scored> between(double lowest, double highest) {
        if (lowest > highest) {
            return Collections.emptyNavigableSet();
        }
        NavigableSet<Scored> above = ordered.tailSet(new Scored(EMPTY, lowest), true);
        // What comes after all elements of a score is the first place of the next one. -0 is no score.
        return highest == Double.POSITIVE_INFINITY
                ? above
                : above.headSet(new Scored(EMPTY, Math.nextUp(highest) + 0.0), false);
    }

    /** Returns the elements from one to another, exclusive, at most so many, if all have the same score. */
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

    /** Returns elements and scores, one behind the other, of those at some positions. */
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

    /** Returns a copy that changes on its own. */
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

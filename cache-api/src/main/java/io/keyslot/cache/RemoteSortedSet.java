// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A set whose elements have scores and are in the order of these; elements of one score are in the order of their stored
 * bytes.
 *
 * <p>A score is a number or an infinity, not NaN. -0 counts as 0.
 *
 * @param <E> the type of the elements
 */
public interface RemoteSortedSet<E> extends RemoteAggregate<RemoteSortedSet<E>> {
    /** Adds an element, or gives it another score; returns whether it was not there. */
    boolean add(E element, double score);

    /** Adds elements, or gives them other scores; returns how many of them were not there. */
    int addAll(Map<? extends E, Double> scores);

    /**
     * Adds to the score of an element; one that is not there counts as 0.
     *
     * @return the new score
     * @throws ArithmeticException if the sum is not a number: nothing was changed
     */
    double increment(E element, double delta);

    OptionalDouble score(E element);

    /** Returns how many elements come before this one; empty if it is not there. */
    OptionalInt rank(E element);

    /** Removes an element; returns whether it was there. */
    boolean remove(E element);

    /** Removes the elements with scores from one to another, both inclusive; returns how many there were. */
    int removeByScore(double from, double to);

    /** Removes and returns the element with the lowest score, or returns null if there is none. */
    @Nullable
    ScoredElement<E> pollFirst();

    /** Removes and returns the element with the highest score, or returns null if there is none. */
    @Nullable
    ScoredElement<E> pollLast();

    int size();

    /** Returns how many elements have scores from one to another, both inclusive. */
    int count(double from, double to);

    /** Returns the elements from one rank to another, exclusive, in their order. */
    List<ScoredElement<E>> byRank(int from, int to);

    /** Returns the elements from one rank to another, exclusive, ranks counted from the highest score down. */
    List<ScoredElement<E>> byRankDescending(int from, int to);

    /** Returns the first elements with scores from one to another, both inclusive, in their order. */
    List<ScoredElement<E>> byScore(double from, double to, int limit);

    /** Returns the last elements with scores from one to another, both inclusive, from the highest score down. */
    List<ScoredElement<E>> byScoreDescending(double from, double to, int limit);

    /**
     * Returns the first elements from one to another, exclusive, in the order of their stored bytes. All elements must
     * have the same score: otherwise which are returned is undefined.
     */
    List<E> byElement(E from, E to, int limit);

    /** Returns a copy of all elements, in their order. */
    List<ScoredElement<E>> toList();
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A set in the order of its elements' scores; elements with equal scores are in the order of their stored bytes. A
 * score is a finite number or an infinity, not NaN. -0 is stored as 0.
 */
public interface RemoteSortedSet<E> extends RemoteAggregate<RemoteSortedSet<E>> {
    /** Adds an element or changes its score; returns whether it is new. */
    boolean add(E element, double score);

    /** Adds elements or changes their scores; returns how many are new. */
    int addAll(Map<? extends E, Double> scores);

    /**
     * Adds to the score of an element, which is 0 if it does not exist, and returns the new score.
     *
     * @throws ArithmeticException if the sum is not a number: nothing was changed
     */
    double increment(E element, double delta);

    OptionalDouble score(E element);

    /** Returns the number of elements before this one; empty if it does not exist. */
    OptionalInt rank(E element);

    /** Removes an element; returns whether it existed. */
    boolean remove(E element);

    /** Removes the elements with scores in a range, both ends inclusive; returns how many there were. */
    int removeByScore(double from, double to);

    /** Removes and returns the element with the lowest score, or returns null if there is none. */
    @Nullable
    ScoredElement<E> pollFirst();

    /** Removes and returns the element with the highest score, or returns null if there is none. */
    @Nullable
    ScoredElement<E> pollLast();

    int size();

    /** Returns the number of elements with scores in a range, both ends inclusive. */
    int count(double from, double to);

    /** Returns the elements from one rank to another, exclusive, in their order. */
    List<ScoredElement<E>> byRank(int from, int to);

    /** Returns the elements from one rank to another, exclusive, with ranks counted from the highest score down. */
    List<ScoredElement<E>> byRankDescending(int from, int to);

    /** Returns the first elements whose scores are in a range, in ascending order. Both ends of the range are inclusive. */
    List<ScoredElement<E>> byScore(double from, double to, int limit);

    /** Returns the last elements with scores in a range, both ends inclusive, from the highest score down. */
    List<ScoredElement<E>> byScoreDescending(double from, double to, int limit);

    /**
     * Returns the first elements from one to another, exclusive, in the order of their stored bytes. The result is
     * undefined if the elements have different scores.
     */
    List<E> byElement(E from, E to, int limit);

    /** Returns a copy of all elements, in their order. */
    List<ScoredElement<E>> toList();
}

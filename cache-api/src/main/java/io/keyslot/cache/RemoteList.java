// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list that is also a queue ({@link #offer}, {@link #poll}) and a stack ({@link #push}, {@link #pop}), like
 * {@link java.util.Deque}.
 */
public interface RemoteList<E> extends RemoteAggregate<RemoteList<E>> {
    void addFirst(E element);

    void addLast(E element);

    /** Adds elements at the end, in their order. */
    void addAll(Collection<? extends E> elements);

    /** Removes and returns the first element, or returns null if there is none. */
    @Nullable
    E pollFirst();

    /** Removes and returns the last element, or returns null if there is none. */
    @Nullable
    E pollLast();

    @Nullable
    E peekFirst();

    @Nullable
    E peekLast();

    /** Adds an element at the end of the queue. */
    default void offer(E element) {
        addLast(element);
    }

    /** Removes and returns the head of the queue, or returns null if there is none. */
    default @Nullable E poll() {
        return pollFirst();
    }

    /** Adds an element on top of the stack. */
    default void push(E element) {
        addFirst(element);
    }

    /** Removes and returns the top of the stack, or returns null if there is none. */
    default @Nullable E pop() {
        return pollFirst();
    }

    /**
     * Removes and returns the first element, waiting for one if the list is empty; null if there is none in time. Other
     * commands to the partition are not delayed. An element that this process adds is found at once, one of another
     * process after at most 50 ms. A time of zero or less means no wait.
     *
     * @throws io.keyslot.cache.failure.CallInterruptedException if the thread is interrupted; its status stays set
     */
    @Nullable
    E takeFirst(Duration atMost);

    /** Works like {@link #takeFirst}, at the other end. */
    @Nullable
    E takeLast(Duration atMost);

    /** Returns the element at an index, or null if there is none; -1 is the last element. */
    @Nullable
    E get(int index);

    /**
     * Replaces the element at an index; -1 is the last element.
     *
     * @throws IndexOutOfBoundsException if there is none: nothing was changed
     */
    void set(int index, E element);

    /**
     * Returns a copy of the elements from one index to another, exclusive; fewer if the list is shorter.
     *
     * @throws IndexOutOfBoundsException if the first index is negative
     * @throws IllegalArgumentException if the range ends before it begins
     */
    List<E> subList(int from, int to);

    /** Returns a copy of all elements. */
    List<E> toList();

    /** Removes the first element with the same stored bytes; returns whether there was one. */
    boolean remove(E element);

    /** Removes all elements except those from one index to another, exclusive. */
    void retain(int from, int to);

    int size();
}

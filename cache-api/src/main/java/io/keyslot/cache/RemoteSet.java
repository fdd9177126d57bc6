// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.Collection;
import java.util.Set;

/**
 * A set, as a {@link java.util.Set} is, without an order. Elements are equal if they are stored as the same bytes.
 *
 * @param <E> the type of the elements
 */
public interface RemoteSet<E> extends RemoteAggregate<RemoteSet<E>> {
    /** Adds an element; returns whether it was not there. */
    boolean add(E element);

    /** Adds elements; returns how many of them were not there. */
    int addAll(Collection<? extends E> elements);

    /** Removes an element; returns whether it was there. */
    boolean remove(E element);

    /** Removes elements; returns how many of them were there. */
    int removeAll(Collection<? extends E> elements);

    boolean contains(E element);

    int size();

    /** Returns a copy of all elements. */
    Set<E> toSet();
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.util.Collection;
import java.util.Set;

/** An unordered set, like {@link java.util.Set}. Elements with the same stored bytes are equal. */
public interface RemoteSet<E> extends RemoteAggregate<RemoteSet<E>> {
    /** Adds an element; returns whether it is new. */
    boolean add(E element);

    /** Adds elements; returns how many are new. */
    int addAll(Collection<? extends E> elements);

    /** Removes an element; returns whether it existed. */
    boolean remove(E element);

    /** Removes elements; returns how many existed. */
    int removeAll(Collection<? extends E> elements);

    boolean contains(E element);

    int size();

    /** Returns a copy of all elements. */
    Set<E> toSet();
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order in which elements are written. The iteration order of a hash table depends on the process if the hash codes
 * do, as those of enum constants, or if the JDK randomizes it, as in {@code Set.of}.
 */
enum ElementOrder {
    AS_ITERATED,
    SORTED_IF_ENUMS,
    SORTED_IF_COMPARABLE;

    /** An entry, ordered by its key. */
    record Pair(@Nullable Object key, @Nullable Object value) implements Comparable<Pair> {
        static Pair of(Map.Entry<?, ?> entry) {
            return new Pair(entry.getKey(), entry.getValue());
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // Called only if all keys are of one comparable type.
        public int compareTo(Pair other) {
            return ((Comparable<Object>) key).compareTo(other.key);
        }
    }

    /**
     * Returns the elements of a collection, or a {@link Pair} for each entry of a map, in this order. Copies them,
     * because a concurrent container may change between its size and its elements.
     */
    @Nullable
    Object[] elementsOf(Object container) {
        @Nullable
        Object[] elements = container instanceof Map<?, ?> map
                ? map.entrySet().stream().map(Pair::of).toArray()
                : ((Collection<?>) container).toArray();
        if (this != AS_ITERATED && elements.length > 1 && areSortable(elements)) {
            Arrays.sort(elements);
        }
        return elements;
    }

    /** Returns whether they are of one type whose order is total and the same in every process. */
    private boolean areSortable(@Nullable Object[] elements) {
        Class<?> type = typeOf(elements[0]);
        boolean isOrdered = Enum.class.isAssignableFrom(type)
                || (this == SORTED_IF_COMPARABLE
                        && Comparable.class.isAssignableFrom(type)
                        && JdkTypes.of(type) != null);
        return isOrdered && Arrays.stream(elements).allMatch(element -> typeOf(element) == type);
    }

    private static Class<?> typeOf(@Nullable Object element) {
        Object key = element instanceof Pair pair ? pair.key() : element;
        if (key instanceof Enum<?> constant) {
            return constant.getDeclaringClass();
        }
        return key == null ? Object.class : key.getClass();
    }
}

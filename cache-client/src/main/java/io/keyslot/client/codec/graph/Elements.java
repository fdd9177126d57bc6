// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads what is in a collection or a map. */
final class Elements {
    /** Whether what is read becomes an element of a hash table. */
    enum Place {
        ORDERED,
        HASHED
    }

    /**
     * In which order the elements of a hash table are written. Its own order depends on the process if the hash codes
     * do, as those of enum constants, or if the JDK stirs them, as in {@code Set.of}.
     */
    enum Order {
        AS_ITERATED,
        SORTED_IF_ENUMS,
        SORTED_IF_COMPARABLE
    }

    private Elements() {}

    static void write(Graph graph, ValueOutput output, Collection<?> elements, Place place, Order order) {
        // A copy, because a concurrent collection may change between its size and its elements.
        @Nullable Object[] copy = elements.toArray();
        sort(copy, order);
        output.writeVarInt(copy.length, true);
        begin(graph, place);
        for (Object element : copy) {
            graph.writeValue(output, element);
        }
        end(graph, place);
    }

    static @Nullable Object[] read(Graph graph, BoundedInput input, Place place) {
        @Nullable Object[] elements = new Object[input.readLength(1)];
        begin(graph, place);
        for (int i = 0; i < elements.length; i++) {
            elements[i] = graph.readValue(input);
        }
        end(graph, place);
        return elements;
    }

    static void writeMap(Graph graph, ValueOutput output, Map<?, ?> map, Place place, Order order) {
        Object[] entries = map.entrySet().stream().map(Pair::of).toArray();
        sort(entries, order);
        output.writeVarInt(entries.length, true);
        for (Object entry : entries) {
            writeKey(graph, output, ((Pair) entry).key(), place);
            graph.writeValue(output, ((Pair) entry).value());
        }
    }

    static void writeKey(Graph graph, ValueOutput output, @Nullable Object key, Place place) {
        begin(graph, place);
        graph.writeValue(output, key);
        end(graph, place);
    }

    static @Nullable Object readKey(Graph graph, BoundedInput input, Place place) {
        begin(graph, place);
        Object key = graph.readValue(input);
        end(graph, place);
        return key;
    }

    private static void begin(Graph graph, Place place) {
        if (place == Place.HASHED) {
            graph.references().beginHashed();
        }
    }

    private static void end(Graph graph, Place place) {
        if (place == Place.HASHED) {
            graph.references().endHashed();
        }
    }

    private static void sort(@Nullable Object[] elements, Order order) {
        if (order != Order.AS_ITERATED && elements.length > 1 && isSortable(elements, order)) {
            Arrays.sort(elements);
        }
    }

    /** Only for types whose order is total and the same everywhere. */
    private static boolean isSortable(@Nullable Object[] elements, Order order) {
        Class<?> type = typeOf(elements[0]);
        boolean sortable = Enum.class.isAssignableFrom(type)
                || (order == Order.SORTED_IF_COMPARABLE
                        && Comparable.class.isAssignableFrom(type)
                        && JdkTypes.of(type) != null);
        return sortable && Arrays.stream(elements).allMatch(element -> typeOf(element) == type);
    }

    private static Class<?> typeOf(@Nullable Object element) {
        Object key = element instanceof Pair pair ? pair.key() : element;
        if (key instanceof Enum<?> constant) {
            return constant.getDeclaringClass();
        }
        return key == null ? Object.class : key.getClass();
    }

    /** An entry, ordered by its key. */
    private record Pair(@Nullable Object key, @Nullable Object value) implements Comparable<Pair> {
        static Pair of(Map.Entry<?, ?> entry) {
            return new Pair(entry.getKey(), entry.getValue());
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // Called only if all keys are of one comparable type.
        public int compareTo(Pair other) {
            return ((Comparable<Object>) key).compareTo(other.key);
        }
    }
}

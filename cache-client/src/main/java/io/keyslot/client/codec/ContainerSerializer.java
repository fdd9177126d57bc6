// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serializes a collection or map: its comparator, if any, its size and its elements. Kryo's serializers would allocate
 * by the size in the bytes, and do not limit the time to hash a key.
 */
record ContainerSerializer(
        boolean isHashed,
        ElementOrder order,
        Maker maker,
        @Nullable Function<Object, @Nullable Object> header,
        UnaryOperator<Object> content,
        @Nullable Function<List<Object>, Object> builder)
        implements ValueSerializer<Object> {
    @FunctionalInterface
    interface Maker {
        Object make(@Nullable Object header, int size);
    }

    static ContainerSerializer of(boolean isHashed, ElementOrder order, IntFunction<Object> maker) {
        return new ContainerSerializer(
                isHashed, order, (none, size) -> maker.apply(size), null, UnaryOperator.identity(), null);
    }

    /** Returns the serializer of containers that are built after all their content was read. */
    static ContainerSerializer built(Function<Object, List<?>> content, Function<List<Object>, Object> builder) {
        return new ContainerSerializer(
                false, ElementOrder.AS_ITERATED, (none, size) -> new ArrayList<>(size), null, content::apply, builder);
    }

    static ContainerSerializer sorted(
            Function<@Nullable Object, Object> maker, Function<Object, @Nullable Object> header) {
        return new ContainerSerializer(
                false,
                ElementOrder.AS_ITERATED,
                (head, size) -> maker.apply(head),
                header,
                UnaryOperator.identity(),
                null);
    }

    ContainerSerializer in(ElementOrder newOrder) {
        return new ContainerSerializer(isHashed, newOrder, maker, header, content, builder);
    }

    @Override
    public void write(Graph graph, ValueOutput output, Object container) {
        if (header != null) {
            graph.writeValue(output, header.apply(container));
        }
        int id = builder == null ? References.NONE : graph.references().beginBuilt();
        writeElements(graph, output, content.apply(container), isHashed, order);
        graph.references().endBuilt(id);
    }

    @Override
    @SuppressWarnings("unchecked") // Builders take a list.
    public Object read(Graph graph, BoundedInput input, int id) {
        Object head = header == null ? null : graph.readValue(input);
        int size = input.readLength(1);
        Object container = maker.make(head, size);
        if (builder == null) {
            graph.references().setRead(id, container);
        }
        readElements(graph, input, size, container, isHashed);
        return builder == null ? container : builder.apply((List<Object>) container);
    }

    static void writeElements(Graph graph, ValueOutput output, Object container, boolean isHashed, ElementOrder order) {
        @Nullable Object[] elements = order.elementsOf(container);
        output.writeVarInt(elements.length, true);
        boolean isMap = container instanceof Map;
        for (Object element : elements) {
            Map.Entry<?, ?> entry = isMap ? (Map.Entry<?, ?>) element : null;
            writeElement(graph, output, entry == null ? element : entry.getKey(), isHashed);
            if (entry != null) {
                graph.writeValue(output, entry.getValue());
            }
        }
    }

    private static void writeElement(Graph graph, ValueOutput output, @Nullable Object element, boolean isHashed) {
        References references = graph.references();
        references.begin(isHashed);
        graph.writeValue(output, element);
        references.end(isHashed);
    }

    @SuppressWarnings("unchecked") // Elements have any type.
    static void readElements(Graph graph, BoundedInput input, int size, Object into, boolean isHashed) {
        if (into instanceof Map) {
            Map<@Nullable Object, @Nullable Object> map = (Map<@Nullable Object, @Nullable Object>) into;
            for (int i = 0; i < size; i++) {
                Object key = readElement(graph, input, isHashed);
                map.put(key, graph.readValue(input));
            }
        } else {
            Collection<@Nullable Object> collection = (Collection<@Nullable Object>) into;
            for (int i = 0; i < size; i++) {
                collection.add(readElement(graph, input, isHashed));
            }
        }
    }

    private static @Nullable Object readElement(Graph graph, BoundedInput input, boolean isHashed) {
        References references = graph.references();
        references.begin(isHashed);
        Object element = graph.readValue(input);
        references.end(isHashed);
        return element;
    }

    /**
     * The order in which elements are written. The iteration order of a hash table depends on the process if the hash codes
     * do, as those of enum constants, or if the JDK randomizes it, as in {@code Set.of}.
     */
    enum ElementOrder {
        AS_ITERATED,
        SORTED_IF_ENUMS,
        SORTED_IF_COMPARABLE;

        /**
         * Returns the elements of a collection, or the entries of a map, in this order. Copies them, because a concurrent
         * container may change between its size and its elements.
         */
        @Nullable
        Object[] elementsOf(Object container) {
            boolean isMap = container instanceof Map;
            Collection<?> all = isMap ? ((Map<?, ?>) container).entrySet() : (Collection<?>) container;
            @Nullable Object[] elements = all.toArray();
            if (this != AS_ITERATED && elements.length > 1) {
                Function<Object, @Nullable Object> key =
                        isMap ? entry -> ((Map.Entry<?, ?>) entry).getKey() : same -> same;
                sortIfComparable(elements, key);
            }
            return elements;
        }

        /** Sorts elements by their keys, if these are of one type whose order is total and the same in every process. */
        @SuppressWarnings({"unchecked", "NullAway"}) // The keys are of one comparable type.
        private void sortIfComparable(@Nullable Object[] elements, Function<Object, @Nullable Object> key) {
            Class<?> type = typeOf(key.apply(elements[0]));
            boolean isOrdered = Enum.class.isAssignableFrom(type)
                    || (this == SORTED_IF_COMPARABLE
                            && Comparable.class.isAssignableFrom(type)
                            && JdkTypes.of(type) != null);
            if (isOrdered && Arrays.stream(elements).allMatch(element -> typeOf(key.apply(element)) == type)) {
                Arrays.sort(elements, Comparator.comparing(element -> (Comparable<Object>) key.apply(element)));
            }
        }

        private static Class<?> typeOf(@Nullable Object key) {
            if (key instanceof Enum<?> constant) {
                return constant.getDeclaringClass();
            }
            return key == null ? Object.class : key.getClass();
        }
    }
}

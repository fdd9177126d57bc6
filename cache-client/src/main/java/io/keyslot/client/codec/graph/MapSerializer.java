// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A mutable hash map that is nothing but its entries. */
final class MapSerializer extends ValueSerializer<Map<@Nullable Object, @Nullable Object>> {
    /** A key and a value have at least one byte each. */
    static final int BYTES_PER_ENTRY = 2;

    private final Order order;
    private final IntFunction<? extends Map<@Nullable Object, @Nullable Object>> factory;

    MapSerializer(Order order, IntFunction<? extends Map<@Nullable Object, @Nullable Object>> factory) {
        this.order = order;
        this.factory = factory;
    }

    @Override
    void write(Graph graph, ValueOutput output, Map<@Nullable Object, @Nullable Object> map) {
        Elements.writeMap(graph, output, map, Place.HASHED, order);
    }

    @Override
    Map<@Nullable Object, @Nullable Object> read(Graph graph, BoundedInput input) {
        int size = input.readLength(BYTES_PER_ENTRY);
        Map<@Nullable Object, @Nullable Object> map = factory.apply(size);
        graph.reference(map);
        readEntries(graph, input, size, map, Place.HASHED);
        return map;
    }

    static void readEntries(
            Graph graph, BoundedInput input, int size, Map<@Nullable Object, @Nullable Object> into, Place place) {
        for (int i = 0; i < size; i++) {
            Object key = Elements.readKey(graph, input, place);
            into.put(key, graph.readValue(input));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A hash map that is built from all its entries at once. */
final class BuiltMap extends BuiltSerializer<Map<@Nullable Object, @Nullable Object>> {
    private final Order order;
    private final UnaryOperator<Map<@Nullable Object, @Nullable Object>> builder;

    BuiltMap(Order order, UnaryOperator<Map<@Nullable Object, @Nullable Object>> builder) {
        this.order = order;
        this.builder = builder;
    }

    @Override
    void writeParts(Graph graph, ValueOutput output, Map<@Nullable Object, @Nullable Object> map) {
        Elements.writeMap(graph, output, map, Place.HASHED, order);
    }

    @Override
    Map<@Nullable Object, @Nullable Object> read(Graph graph, BoundedInput input) {
        int size = input.readLength(MapSerializer.BYTES_PER_ENTRY);
        Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>(JdkMaps.capacity(size));
        MapSerializer.readEntries(graph, input, size, entries, Place.HASHED);
        return builder.apply(entries);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map with a comparator, which is written as an object of its own. */
final class SortedMapSerializer extends ValueSerializer<SortedMap<@Nullable Object, @Nullable Object>> {
    private final Function<
                    @Nullable Comparator<? super @Nullable Object>,
                    ? extends SortedMap<@Nullable Object, @Nullable Object>>
            factory;

    SortedMapSerializer(
            Function<
                            @Nullable Comparator<? super @Nullable Object>,
                            ? extends SortedMap<@Nullable Object, @Nullable Object>>
                    factory) {
        this.factory = factory;
    }

    @Override
    void write(Graph graph, ValueOutput output, SortedMap<@Nullable Object, @Nullable Object> map) {
        graph.writeValue(output, map.comparator());
        Elements.writeMap(graph, output, map, Place.ORDERED, Order.AS_ITERATED);
    }

    @Override
    SortedMap<@Nullable Object, @Nullable Object> read(Graph graph, BoundedInput input) {
        SortedMap<@Nullable Object, @Nullable Object> map =
                factory.apply(SortedSerializer.readComparator(graph, input));
        graph.reference(map);
        int size = input.readLength(MapSerializer.BYTES_PER_ENTRY);
        MapSerializer.readEntries(graph, input, size, map, Place.ORDERED);
        return map;
    }
}

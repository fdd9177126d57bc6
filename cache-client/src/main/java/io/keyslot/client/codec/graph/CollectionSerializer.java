// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Collection;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A mutable collection that is nothing but its elements in an order. */
final class CollectionSerializer extends ValueSerializer<Collection<@Nullable Object>> {
    private final Place place;
    private final Order order;
    private final IntFunction<? extends Collection<@Nullable Object>> factory;

    CollectionSerializer(Place place, Order order, IntFunction<? extends Collection<@Nullable Object>> factory) {
        this.place = place;
        this.order = order;
        this.factory = factory;
    }

    @Override
    void write(Graph graph, ValueOutput output, Collection<@Nullable Object> collection) {
        Elements.write(graph, output, collection, place, order);
    }

    @Override
    Collection<@Nullable Object> read(Graph graph, BoundedInput input) {
        int size = input.readLength(1);
        Collection<@Nullable Object> collection = factory.apply(size);
        graph.reference(collection);
        for (int i = 0; i < size; i++) {
            collection.add(Elements.readKey(graph, input, place));
        }
        return collection;
    }
}

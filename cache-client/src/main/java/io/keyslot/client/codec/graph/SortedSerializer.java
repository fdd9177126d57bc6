// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Collection;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A collection with a comparator, which is written as an object of its own. */
final class SortedSerializer<C extends Collection<@Nullable Object>> extends ValueSerializer<C> {
    private final Function<C, @Nullable Comparator<? super @Nullable Object>> comparator;
    private final Function<@Nullable Comparator<? super @Nullable Object>, C> factory;

    SortedSerializer(
            Function<C, @Nullable Comparator<? super @Nullable Object>> comparator,
            Function<@Nullable Comparator<? super @Nullable Object>, C> factory) {
        this.comparator = comparator;
        this.factory = factory;
    }

    @Override
    void write(Graph graph, ValueOutput output, C collection) {
        graph.writeValue(output, comparator.apply(collection));
        Elements.write(graph, output, collection, Place.ORDERED, Order.AS_ITERATED);
    }

    @Override
    C read(Graph graph, BoundedInput input) {
        C collection = factory.apply(readComparator(graph, input));
        graph.reference(collection);
        int size = input.readLength(1);
        for (int i = 0; i < size; i++) {
            collection.add(graph.readValue(input));
        }
        return collection;
    }

    @SuppressWarnings("unchecked") // A comparator of another type fails with the first element.
    static @Nullable Comparator<? super @Nullable Object> readComparator(Graph graph, BoundedInput input) {
        return (Comparator<? super @Nullable Object>) graph.readValue(input);
    }
}

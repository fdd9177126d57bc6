// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.Refusal;
import io.keyslot.client.codec.graph.Elements.Order;
import io.keyslot.client.codec.graph.Elements.Place;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A collection that is built from all its elements at once. */
final class BuiltCollection extends BuiltSerializer<Collection<?>> {
    private final Place place;
    private final Order order;
    private final Function<@Nullable Object[], Collection<?>> builder;
    private final int maximumSize;

    BuiltCollection(Place place, Order order, Function<@Nullable Object[], Collection<?>> builder) {
        this(place, order, builder, Integer.MAX_VALUE);
    }

    BuiltCollection(Place place, Order order, Function<@Nullable Object[], Collection<?>> builder, int maximumSize) {
        this.maximumSize = maximumSize;
        this.place = place;
        this.order = order;
        this.builder = builder;
    }

    @Override
    void writeParts(Graph graph, ValueOutput output, Collection<?> collection) {
        if (collection.size() > maximumSize) {
            throw Refusal.of(
                    Types.CODEC,
                    collection.getClass(),
                    "has %d elements, may have %d: use another set".formatted(collection.size(), maximumSize));
        }
        Elements.write(graph, output, collection, place, order);
    }

    @Override
    Collection<?> read(Graph graph, BoundedInput input) {
        @Nullable Object[] elements = Elements.read(graph, input, place);
        if (elements.length > maximumSize) {
            throw new KryoException("A set is larger than it may be");
        }
        return builder.apply(elements);
    }
}

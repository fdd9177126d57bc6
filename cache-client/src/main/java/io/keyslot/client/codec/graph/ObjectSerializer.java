// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.ContainerSerializer.Order;
import io.keyslot.client.codec.graph.ContainerSerializer.Place;
import io.keyslot.client.codec.graph.ObjectLayout.Layer;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Objects of the application: their fields, layer by layer, then the elements if the class extends a container. */
final class ObjectSerializer extends ValueSerializer<Object> {
    private final ObjectLayout layout;

    ObjectSerializer(ObjectLayout layout) {
        this.layout = layout;
    }

    @Override
    void write(Graph graph, ValueOutput output, Object object) {
        writeLayers(graph, output, layout.layers(), object);
        if (layout.hasElements()) {
            writeElements(graph, output, object);
        }
    }

    /** Writes the fields of these classes of an object. */
    static void writeLayers(Graph graph, ValueOutput output, List<Layer> layers, Object object) {
        for (Layer layer : layers) {
            if (layer.isCustom()) {
                CustomOutput.write(graph, output, layer, object);
            } else {
                for (FieldAccess field : layer.fields()) {
                    field.write(graph, output, object);
                }
            }
        }
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        int id = graph.references().newestReadId();
        Object object = layout.instantiator().newInstance();
        graph.reference(object);
        Deque<Runnable> validations = new ArrayDeque<>();
        readLayers(graph, input, layout.layers(), object, validations);
        if (layout.hasElements()) {
            readElements(graph, input, object);
        }
        validations.forEach(Runnable::run);
        return resolve(graph, id, object, layout.readResolve());
    }

    /** Reads the fields of these classes. What they want to validate when the object is complete is added to the last. */
    static void readLayers(
            Graph graph, BoundedInput input, List<Layer> layers, Object object, Deque<Runnable> validations) {
        for (Layer layer : layers) {
            if (layer.isCustom()) {
                CustomInput.read(graph, input, layer, object, validations);
            } else {
                for (FieldAccess field : layer.fields()) {
                    field.read(graph, input, object);
                }
            }
        }
    }

    /** References that follow see what {@code readResolve} returned, not the object that was read. */
    static @Nullable Object resolve(Graph graph, int id, Object object, @Nullable Method readResolve) {
        if (readResolve == null) {
            return object;
        }
        Object resolved = Reflection.invoke(readResolve, object);
        graph.references().resolve(id, resolved);
        return resolved;
    }

    private static void writeElements(Graph graph, ValueOutput output, Object container) {
        ContainerSerializer.writeElements(graph, output, container, placeIn(container), Order.AS_ITERATED);
    }

    private static void readElements(Graph graph, BoundedInput input, Object container) {
        if (container instanceof Map<?, ?> map) {
            map.clear();
        } else {
            ((Collection<?>) container).clear();
        }
        ContainerSerializer.readElements(graph, input, input.readLength(1), container, placeIn(container));
    }

    private static Place placeIn(Object container) {
        return container instanceof Set || container instanceof Map ? Place.HASHED : Place.ORDERED;
    }
}

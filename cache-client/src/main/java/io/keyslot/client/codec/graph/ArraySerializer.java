// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Serializes arrays of objects; each element has its own class. */
final class ArraySerializer extends ValueSerializer<@Nullable Object[]> {
    private final Class<?> component;

    ArraySerializer(Class<?> component) {
        this.component = component;
    }

    @Override
    void write(Graph graph, ValueOutput output, @Nullable Object[] array) {
        output.writeVarInt(array.length, true);
        for (Object element : array) {
            graph.writeValue(output, element);
        }
    }

    @Override
    @Nullable
    Object[] read(Graph graph, BoundedInput input) {
        int length = input.readLength(1);
        @Nullable Object[] array = (Object[]) Array.newInstance(component, length);
        graph.reference(array);
        for (int i = 0; i < length; i++) {
            array[i] = graph.readValue(input);
        }
        return array;
    }
}

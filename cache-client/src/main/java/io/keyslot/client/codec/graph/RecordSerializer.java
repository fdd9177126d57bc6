// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import org.jspecify.annotations.Nullable;

/** Records: their components, from which the canonical constructor makes the record again, with all its checks. */
final class RecordSerializer extends ValueSerializer<Object> {
    private final RecordLayout layout;
    private final FieldAccess[] components;

    RecordSerializer(RecordLayout layout) {
        this.layout = layout;
        this.components = layout.components().toArray(FieldAccess[]::new);
    }

    @Override
    void write(Graph graph, ValueOutput output, Object value) {
        for (FieldAccess component : components) {
            component.write(graph, output, value);
        }
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        @Nullable Object[] parts = new Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = components[i].readValue(graph, input);
        }
        Object value = Reflection.construct(layout.constructor(), parts);
        return layout.readResolve() == null ? value : Reflection.invoke(layout.readResolve(), value);
    }
}

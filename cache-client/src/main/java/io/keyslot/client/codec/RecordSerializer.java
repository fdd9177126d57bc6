// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.io.Output;
import org.jspecify.annotations.Nullable;

/** Records: their components, from which the canonical constructor makes the record again, with all its checks. */
final class RecordSerializer extends BuiltSerializer<Object> {
    private final RecordLayout layout;

    RecordSerializer(RecordLayout layout) {
        this.layout = layout;
    }

    @Override
    void writeParts(Graph graph, Output output, Object value) {
        layout.components().forEach(component -> component.write(graph, output, value));
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        @Nullable
        Object[] components = layout.components().stream()
                .map(component -> component.readValue(graph, input))
                .toArray();
        Object value = Reflection.construct(layout.constructor(), components);
        return layout.readResolve() == null ? value : Reflection.invoke(layout.readResolve(), value);
    }
}

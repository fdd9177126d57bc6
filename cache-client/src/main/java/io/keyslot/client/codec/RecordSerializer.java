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
        for (int i = 0; i < layout.kinds().size(); i++) {
            layout.kinds()
                    .get(i)
                    .write(graph, output, Reflection.invoke(layout.accessors().get(i), value));
        }
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        @Nullable Object[] components = new Object[layout.kinds().size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = layout.kinds().get(i).read(graph, input);
        }
        Object value = Reflection.construct(layout.constructor(), components);
        return layout.readResolve() == null ? value : Reflection.invoke(layout.readResolve(), value);
    }
}

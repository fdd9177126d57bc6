// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a field of a type is written: a primitive as its bare bytes, everything else with its class in front. */
enum PrimitiveKind {
    BOOLEAN(boolean.class, Boolean.class),
    BYTE(byte.class, Byte.class),
    CHAR(char.class, Character.class),
    SHORT(short.class, Short.class),
    INT(int.class, Integer.class),
    LONG(long.class, Long.class),
    FLOAT(float.class, Float.class),
    DOUBLE(double.class, Double.class),
    OBJECT(Object.class, Object.class);

    private static final PrimitiveKind[] KINDS = values();

    private final Class<?> type;
    private final Class<?> box;

    PrimitiveKind(Class<?> type, Class<?> box) {
        this.type = type;
        this.box = box;
    }

    static PrimitiveKind of(Class<?> fieldType) {
        for (PrimitiveKind kind : KINDS) {
            if (kind.type == fieldType) {
                return kind;
            }
        }
        return OBJECT;
    }

    void write(Graph graph, Output output, @Nullable Object value) {
        if (this == OBJECT) {
            graph.writeValue(output, value);
        } else {
            serializer().write(graph, output, Objects.requireNonNull(value));
        }
    }

    @Nullable
    Object read(Graph graph, BoundedInput input) {
        return this == OBJECT ? graph.readValue(input) : serializer().read(graph, input);
    }

    @SuppressWarnings("unchecked") // The table has the box's serializer under the box.
    private ValueSerializer<Object> serializer() {
        GraphType boxType = Objects.requireNonNull(JdkTypes.of(box));
        return (ValueSerializer<Object>) boxType.getSerializer();
    }
}

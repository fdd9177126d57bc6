// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * How a field of a type is written: a primitive as its bare bytes, which are those of its box, everything else with its
 * class in front.
 */
enum PrimitiveKind {
    BOOLEAN(boolean.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeBoolean(field.getBoolean(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setBoolean(owner, input.readBoolean());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readBoolean();
        }
    },
    BYTE(byte.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeByte(field.getByte(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setByte(owner, input.readByte());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readByte();
        }
    },
    CHAR(char.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeChar(field.getChar(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setChar(owner, input.readChar());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readChar();
        }
    },
    SHORT(short.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeShort(field.getShort(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setShort(owner, input.readShort());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readShort();
        }
    },
    INT(int.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeVarInt(field.getInt(owner), false);
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setInt(owner, input.readVarInt(false));
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readVarInt(false);
        }
    },
    LONG(long.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeVarLong(field.getLong(owner), false);
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setLong(owner, input.readVarLong(false));
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readVarLong(false);
        }
    },
    FLOAT(float.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeFloat(field.getFloat(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setFloat(owner, input.readFloat());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readFloat();
        }
    },
    DOUBLE(double.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            output.writeDouble(field.getDouble(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.setDouble(owner, input.readDouble());
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            return input.readDouble();
        }
    },
    OBJECT(Object.class) {
        @Override
        void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException {
            graph.writeValue(output, field.get(owner));
        }

        @Override
        void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException {
            field.set(owner, graph.readValue(input));
        }

        @Override
        @Nullable
        Object read(Graph graph, BoundedInput input) {
            return graph.readValue(input);
        }
    };

    private static final PrimitiveKind[] KINDS = values();

    private final Class<?> type;

    PrimitiveKind(Class<?> type) {
        this.type = type;
    }

    static PrimitiveKind of(Class<?> fieldType) {
        for (PrimitiveKind kind : KINDS) {
            if (kind.type == fieldType) {
                return kind;
            }
        }
        return OBJECT;
    }

    /** Writes the owner's field. */
    abstract void write(Graph graph, ValueOutput output, Field field, Object owner) throws IllegalAccessException;

    /** Reads the owner's field, and throws {@link IllegalArgumentException} if the value has the wrong type. */
    abstract void read(Graph graph, BoundedInput input, Field field, Object owner) throws IllegalAccessException;

    /** Reads what is to become a field, in a box. */
    abstract @Nullable Object read(Graph graph, BoundedInput input);
}

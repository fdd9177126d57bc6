// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a field of a type is written: a primitive as its bare bytes, which are those of its box, everything else with its
 * class in front. Immutable.
 *
 * @param code part of the format
 * @param missing what a field has that nobody has set
 */
record FieldKind(int code, Class<?> type, @Nullable Object missing, Writer writer, Setter setter, Reader reader) {
    private static final List<FieldKind> KINDS = List.of(
            new FieldKind(
                    0,
                    boolean.class,
                    false,
                    (graph, to, field, owner) -> to.writeBoolean(field.getBoolean(owner)),
                    (graph, from, field, owner) -> field.setBoolean(owner, from.readBoolean()),
                    (graph, from) -> from.readBoolean()),
            new FieldKind(
                    1,
                    byte.class,
                    (byte) 0,
                    (graph, to, field, owner) -> to.writeByte(field.getByte(owner)),
                    (graph, from, field, owner) -> field.setByte(owner, from.readByte()),
                    (graph, from) -> from.readByte()),
            new FieldKind(
                    2,
                    char.class,
                    '\0',
                    (graph, to, field, owner) -> to.writeChar(field.getChar(owner)),
                    (graph, from, field, owner) -> field.setChar(owner, from.readChar()),
                    (graph, from) -> from.readChar()),
            new FieldKind(
                    3,
                    short.class,
                    (short) 0,
                    (graph, to, field, owner) -> to.writeShort(field.getShort(owner)),
                    (graph, from, field, owner) -> field.setShort(owner, from.readShort()),
                    (graph, from) -> from.readShort()),
            new FieldKind(
                    4,
                    int.class,
                    0,
                    (graph, to, field, owner) -> to.writeVarInt(field.getInt(owner), false),
                    (graph, from, field, owner) -> field.setInt(owner, from.readVarInt(false)),
                    (graph, from) -> from.readVarInt(false)),
            new FieldKind(
                    5,
                    long.class,
                    0L,
                    (graph, to, field, owner) -> to.writeVarLong(field.getLong(owner), false),
                    (graph, from, field, owner) -> field.setLong(owner, from.readVarLong(false)),
                    (graph, from) -> from.readVarLong(false)),
            new FieldKind(
                    6,
                    float.class,
                    0f,
                    (graph, to, field, owner) -> to.writeFloat(field.getFloat(owner)),
                    (graph, from, field, owner) -> field.setFloat(owner, from.readFloat()),
                    (graph, from) -> from.readFloat()),
            new FieldKind(
                    7,
                    double.class,
                    0d,
                    (graph, to, field, owner) -> to.writeDouble(field.getDouble(owner)),
                    (graph, from, field, owner) -> field.setDouble(owner, from.readDouble()),
                    (graph, from) -> from.readDouble()),
            new FieldKind(
                    8,
                    Object.class,
                    null,
                    (graph, to, field, owner) -> graph.writeValue(to, field.get(owner)),
                    (graph, from, field, owner) -> field.set(owner, graph.readValue(from)),
                    Graph::readValue));

    private static final FieldKind OBJECT = KINDS.get(KINDS.size() - 1);

    interface Writer {
        void write(Graph graph, ValueOutput to, Field field, Object owner) throws IllegalAccessException;
    }

    interface Setter {
        void set(Graph graph, BoundedInput from, Field field, Object owner) throws IllegalAccessException;
    }

    interface Reader {
        @Nullable
        Object read(Graph graph, BoundedInput from);
    }

    static FieldKind of(Class<?> type) {
        return KINDS.stream().filter(kind -> kind.type == type).findFirst().orElse(OBJECT);
    }

    /** Returns whether there is a kind with this number. */
    static boolean exists(int code) {
        return code < KINDS.size();
    }

    static FieldKind numbered(int code) {
        return KINDS.get(code);
    }

    void write(Graph graph, ValueOutput to, Field field, Object owner) {
        try {
            writer.write(graph, to, field, owner);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    /** Sets the field, or throws {@link IllegalArgumentException} if the object that is read has the wrong type. */
    void read(Graph graph, BoundedInput from, Field field, Object owner) {
        try {
            setter.set(graph, from, field, owner);
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    @Nullable
    Object read(Graph graph, BoundedInput from) {
        return reader.read(graph, from);
    }
}

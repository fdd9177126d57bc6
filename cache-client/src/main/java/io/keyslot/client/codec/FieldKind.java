// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.lang.reflect.Field;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a field: a primitive as its bare bytes, which are those of its box; any other type with its class in
 * front. The ordinal of a constant is part of the format.
 */
@SuppressWarnings({"ImmutableEnumChecker", "EnumOrdinal"}) // Boxed numbers; the order is part of the stored format.
enum FieldKind {
    BOOLEAN(boolean.class, false),
    BYTE(byte.class, (byte) 0),
    CHAR(char.class, '\0'),
    SHORT(short.class, (short) 0),
    INT(int.class, 0),
    LONG(long.class, 0L),
    FLOAT(float.class, 0f),
    DOUBLE(double.class, 0d),
    OBJECT(Object.class, null);

    private static final FieldKind[] KINDS = values();

    private final Class<?> type;
    private final @Nullable Object missing;

    FieldKind(Class<?> type, @Nullable Object missing) {
        this.type = type;
        this.missing = missing;
    }

    static FieldKind of(Class<?> type) {
        return Arrays.stream(KINDS)
                .filter(kind -> kind.type == type)
                .findFirst()
                .orElse(OBJECT);
    }

    static boolean exists(int code) {
        return code < KINDS.length;
    }

    static FieldKind numbered(int code) {
        return KINDS[code];
    }

    int code() {
        return ordinal();
    }

    /** Returns the default value of a field. */
    @Nullable
    Object missing() {
        return missing;
    }

    void write(Graph graph, ValueOutput to, Field field, Object owner) {
        try {
            switch (this) {
                case BOOLEAN -> to.writeBoolean(field.getBoolean(owner));
                case BYTE -> to.writeByte(field.getByte(owner));
                case CHAR -> to.writeChar(field.getChar(owner));
                case SHORT -> to.writeShort(field.getShort(owner));
                case INT -> to.writeVarInt(field.getInt(owner), false);
                case LONG -> to.writeVarLong(field.getLong(owner), false);
                case FLOAT -> to.writeFloat(field.getFloat(owner));
                case DOUBLE -> to.writeDouble(field.getDouble(owner));
                case OBJECT -> graph.writeValue(to, field.get(owner));
            }
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    /** Throws {@code IllegalArgumentException} if the object that is read has the wrong type. */
    void read(Graph graph, BoundedInput from, Field field, Object owner) {
        try {
            switch (this) {
                case BOOLEAN -> field.setBoolean(owner, from.readBoolean());
                case BYTE -> field.setByte(owner, from.readByte());
                case CHAR -> field.setChar(owner, from.readChar());
                case SHORT -> field.setShort(owner, from.readShort());
                case INT -> field.setInt(owner, from.readVarInt(false));
                case LONG -> field.setLong(owner, from.readVarLong(false));
                case FLOAT -> field.setFloat(owner, from.readFloat());
                case DOUBLE -> field.setDouble(owner, from.readDouble());
                case OBJECT -> field.set(owner, graph.readValue(from));
            }
        } catch (IllegalAccessException e) {
            throw Reflection.failed(field, e);
        }
    }

    @Nullable
    Object read(Graph graph, BoundedInput from) {
        return switch (this) {
            case BOOLEAN -> from.readBoolean();
            case BYTE -> from.readByte();
            case CHAR -> from.readChar();
            case SHORT -> from.readShort();
            case INT -> from.readVarInt(false);
            case LONG -> from.readVarLong(false);
            case FLOAT -> from.readFloat();
            case DOUBLE -> from.readDouble();
            case OBJECT -> graph.readValue(from);
        };
    }
}

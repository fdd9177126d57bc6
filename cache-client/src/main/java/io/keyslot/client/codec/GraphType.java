// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.Shape.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the objects of one class are written. Immutable. Compared by identity.
 *
 * @param number {@link #BY_NAME} if it has none
 * @param shape null if it has a number
 * @param declaration the encoded name and shape, not to be changed; empty without a name, only the name if it is unknown
 */
record GraphType(
        Class<?> type,
        ValueSerializer<Object> serializer,
        int number,
        Sharing sharing,
        @Nullable Shape shape,
        @SuppressWarnings("ArrayRecordComponent") byte[] declaration) {
    /** The id of types that are written by name. */
    static final int BY_NAME = -1;

    private static final int INITIAL_BYTES = 16;

    /** Whether references to an object are kept. */
    enum Sharing {
        /** A value whose identity does not matter: written again each time. */
        NEVER,
        /** A container or record, whose hash code is that of its content. */
        BY_CONTENT,
        BY_IDENTITY
    }

    @SuppressWarnings("unchecked") // Its objects are those of the class of the type.
    private static GraphType of(
            Class<?> type,
            ValueSerializer<?> serializer,
            int number,
            Sharing sharing,
            @Nullable Shape shape,
            byte[] declaration) {
        return new GraphType(type, (ValueSerializer<Object>) serializer, number, sharing, shape, declaration);
    }

    static GraphType numbered(int number, Class<?> type, ValueSerializer<?> serializer, Sharing sharing) {
        return of(type, serializer, number, sharing, null, new byte[0]);
    }

    static GraphType named(Class<?> type, ValueSerializer<?> serializer, Sharing sharing, Shape shape) {
        ValueOutput output = new ValueOutput(type.getName().length() + INITIAL_BYTES);
        output.writeString(type.getName());
        shape.write(output);
        return of(type, serializer, BY_NAME, sharing, shape, output.toBytes());
    }

    /** Returns a type of an unknown class, whose objects can only be skipped. */
    static GraphType unknown(String name, Shape shape, RuntimeException failure) {
        boolean isEnum = shape.form() == Shape.Form.ENUM;
        return of(
                isEnum ? String.class : Object[].class,
                new UnknownSerializer(shape, failure),
                BY_NAME,
                isEnum ? Sharing.NEVER : Sharing.BY_IDENTITY,
                shape,
                name.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the stored name of the class, which may be unknown here. */
    String name() {
        return failure() == null ? type.getName() : new String(declaration, StandardCharsets.UTF_8);
    }

    /** Returns the fields that have their default, because the objects were written without them. */
    Stream<String> defaults() {
        return serializer instanceof FieldsSerializer fields
                ? Arrays.stream(fields.slots().own())
                        .filter(field -> !Arrays.asList(fields.order()).contains(field))
                        .map(FieldAccess::fullName)
                : Stream.empty();
    }

    /**
     * Returns a type for the form in which another version of the class has written its objects; throws if impossible.
     */
    GraphType inShape(Shape other) {
        if (shape == null || shape.form() != other.form()) {
            throw new KryoException("%s is of another form than when it was written".formatted(type.getName()));
        }
        return shape.isSameAs(other) || !(serializer instanceof FieldsSerializer fields)
                ? this
                : named(type, fields.in(other), sharing, other);
    }

    /** Returns the reason why objects of this type can only be skipped, or null. */
    @Nullable
    RuntimeException failure() {
        return serializer instanceof UnknownSerializer unknown ? unknown.failure() : null;
    }

    boolean isReferable() {
        return sharing != Sharing.NEVER;
    }

    boolean isHashedByContent() {
        return sharing == Sharing.BY_CONTENT;
    }

    /** Returns whether it has a number, and its objects contain no others and cannot be referred to. */
    boolean isLeaf() {
        return number != BY_NAME && !isReferable();
    }

    boolean isDeclaredBy(byte[] bytes, int from, int to) {
        return Arrays.equals(declaration, 0, declaration.length, bytes, from, to);
    }

    /** Skips objects of an unknown or refused class, within a field that is skipped, without loading the class. */
    private record UnknownSerializer(Shape shape, RuntimeException failure) implements ValueSerializer<Object> {
        @Override
        public void write(Graph graph, ValueOutput output, Object value) {
            throw failure;
        }

        @Override
        public Object read(Graph graph, BoundedInput input, int id) {
            if (shape.form() == Form.ENUM) {
                return input.readString();
            }
            graph.references().setRead(id, References.UNREAD);
            for (int field : shape.ids()) {
                Shape.kindOf(field).read(graph, input);
            }
            if (shape.form() != Form.FIELDS) {
                int size = input.readLength(1) * (shape.form() == Form.MAP ? 2 : 1);
                for (int i = 0; i < size; i++) {
                    graph.readValue(input);
                }
            }
            return References.UNREAD;
        }
    }
}

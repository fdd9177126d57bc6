// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.Registration;
import com.esotericsoftware.kryo.kryo5.Serializer;
import io.keyslot.client.codec.graph.Shape.Form;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How the objects of one class are written. Immutable. */
final class GraphType extends Registration {
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

    private final Sharing sharing;
    private final @Nullable Shape shape;
    private final byte[] declaration;

    private GraphType(
            Class<?> type,
            Serializer<?> serializer,
            int id,
            Sharing sharing,
            @Nullable Shape shape,
            byte[] declaration) {
        super(type, serializer, id);
        this.sharing = sharing;
        this.shape = shape;
        this.declaration = declaration;
    }

    static GraphType numbered(int id, Class<?> type, Serializer<?> serializer, Sharing sharing) {
        return new GraphType(type, serializer, id, sharing, null, new byte[0]);
    }

    static GraphType named(Class<?> type, Serializer<?> serializer, Sharing sharing, Shape shape) {
        ValueOutput output = new ValueOutput(type.getName().length() + INITIAL_BYTES);
        output.writeString(type.getName());
        shape.write(output);
        return new GraphType(type, serializer, BY_NAME, sharing, shape, output.toBytes());
    }

    /** Returns a type of an unknown class, whose objects can only be skipped. */
    static GraphType unknown(Shape shape, RuntimeException failure) {
        boolean isEnum = shape.form() == Shape.Form.ENUM;
        return new GraphType(
                isEnum ? String.class : Object[].class,
                new UnknownSerializer(shape, failure),
                BY_NAME,
                isEnum ? Sharing.NEVER : Sharing.BY_IDENTITY,
                shape,
                new byte[0]);
    }

    /**
     * Returns a type for the form in which another version of the class has written its objects; throws if impossible.
     */
    GraphType inShape(Shape other) {
        if (shape == null || shape.form() != other.form()) {
            throw new KryoException("%s is of another form than when it was written"
                    .formatted(getType().getName()));
        }
        return shape.isSameAs(other) || !(getSerializer() instanceof FieldsSerializer fields)
                ? this
                : named(getType(), fields.reading(fields.slots().in(other)), sharing, other);
    }

    /** Returns the reason why objects of this type can only be skipped, or null. */
    @Nullable
    RuntimeException failure() {
        return getSerializer() instanceof UnknownSerializer unknown ? unknown.failure() : null;
    }

    boolean isReferable() {
        return sharing != Sharing.NEVER;
    }

    boolean isHashedByContent() {
        return sharing == Sharing.BY_CONTENT;
    }

    /** Returns whether it has a number, and its objects contain no others and cannot be referred to. */
    boolean isLeaf() {
        return getId() != BY_NAME && !isReferable();
    }

    @SuppressWarnings("unchecked") // Its objects are those of the class of this type.
    void write(Graph graph, ValueOutput output, Object object) {
        getSerializer().write(graph, output, object);
    }

    @SuppressWarnings("unchecked") // Its objects are those of the class of this type.
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        return getSerializer().read(graph, input, getType());
    }

    /** Returns the encoded name and shape, not to be changed; empty without a name. */
    byte[] declaration() {
        return declaration;
    }

    boolean isDeclaredBy(byte[] bytes, int from, int to) {
        return Arrays.equals(declaration, 0, declaration.length, bytes, from, to);
    }

    /** Skips objects of an unknown or refused class, within a field that is skipped, without loading the class. */
    static final class UnknownSerializer extends ValueSerializer<Object> {
        private final Shape shape;
        private final RuntimeException failure;

        UnknownSerializer(Shape shape, RuntimeException failure) {
            this.shape = shape;
            this.failure = failure;
        }

        RuntimeException failure() {
            return failure;
        }

        @Override
        void write(Graph graph, ValueOutput output, Object value) {
            throw failure;
        }

        @Override
        Object read(Graph graph, BoundedInput input) {
            if (shape.form() == Form.ENUM) {
                return input.readString();
            }
            graph.reference(References.UNREAD);
            for (int id : shape.ids()) {
                Shape.kindOf(id).read(graph, input);
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

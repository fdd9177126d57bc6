// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.Registration;
import com.esotericsoftware.kryo.kryo5.Serializer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How the objects of one class are written. Immutable, shared by all threads. */
final class GraphType extends Registration {
    /** The id of types that are written by name. */
    static final int BY_NAME = -1;

    private static final int INITIAL_BYTES = 16;

    /** How an object takes part in references. */
    enum Sharing {
        /** A value without an identity worth keeping: written again each time. */
        NEVER,
        /** A container or record, whose hash code is that of its content. */
        BY_CONTENT,
        /** Any other object. */
        BY_IDENTITY
    }

    private final Sharing sharing;
    private final int fingerprint;
    private final byte[] declaration;

    private GraphType(
            Class<?> type, Serializer<?> serializer, int id, Sharing sharing, int fingerprint, byte[] declaration) {
        super(type, serializer, id);
        this.sharing = sharing;
        this.fingerprint = fingerprint;
        this.declaration = declaration;
    }

    static GraphType numbered(int id, Class<?> type, Serializer<?> serializer, Sharing sharing) {
        return new GraphType(type, serializer, id, sharing, 0, new byte[0]);
    }

    static GraphType named(Class<?> type, Serializer<?> serializer, Sharing sharing, int fingerprint) {
        byte[] declaration = declarationOf(type.getName(), fingerprint);
        return new GraphType(type, serializer, BY_NAME, sharing, fingerprint, declaration);
    }

    private static byte[] declarationOf(String name, int fingerprint) {
        ValueOutput output = new ValueOutput(name.length() + INITIAL_BYTES);
        output.writeString(name);
        output.writeInt(fingerprint);
        return output.toBytes();
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

    /** Returns the counted name and the fingerprint as they are written, not to be changed; empty without a name. */
    byte[] declaration() {
        return declaration;
    }

    /** Returns whether these bytes of the array are the declaration. */
    boolean isDeclaredBy(byte[] bytes, int from, int to) {
        return Arrays.equals(declaration, 0, declaration.length, bytes, from, to);
    }

    /** Returns a number that differs if the class has other fields; 0 for types of the JDK. */
    int fingerprint() {
        return fingerprint;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.Registration;

/** How the objects of one class are written. Immutable, shared by all threads. */
final class GraphType extends Registration {
    /** The id of types that are written by name. */
    static final int BY_NAME = -1;

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

    private GraphType(Class<?> type, ValueSerializer<?> serializer, int id, Sharing sharing, int fingerprint) {
        super(type, serializer, id);
        this.sharing = sharing;
        this.fingerprint = fingerprint;
    }

    static GraphType numbered(int id, Class<?> type, ValueSerializer<?> serializer, Sharing sharing) {
        return new GraphType(type, serializer, id, sharing, 0);
    }

    static GraphType named(Class<?> type, ValueSerializer<?> serializer, Sharing sharing, int fingerprint) {
        return new GraphType(type, serializer, BY_NAME, sharing, fingerprint);
    }

    boolean isReferable() {
        return sharing != Sharing.NEVER;
    }

    boolean isHashedByContent() {
        return sharing == Sharing.BY_CONTENT;
    }

    /** Returns a number that differs if the class has other fields; 0 for types of the JDK. */
    int fingerprint() {
        return fingerprint;
    }
}

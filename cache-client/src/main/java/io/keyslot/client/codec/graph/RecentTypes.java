// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Types whose declarations were read before, found again by their bytes: without a text of the name, the allow list and
 * the class loader, which would say the same again.
 *
 * <p>A type has one place. Another one that has the same takes it, so the number of types is bounded. Types with very
 * short or long names have none. Safe for use by several threads.
 */
final class RecentTypes {
    private static final VarHandle TAIL = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final int PLACE_BITS = 7;

    /** With the fingerprint, it has the bytes from which the place is computed. */
    private static final int MIN_NAME_BYTES = Long.BYTES - Integer.BYTES;

    private final AtomicReferenceArray<@Nullable GraphType> types = new AtomicReferenceArray<>(1 << PLACE_BITS);

    /** Returns the type whose declaration begins here in the array, if it is one of these. */
    @Nullable
    GraphType find(byte[] bytes, int from, int limit) {
        // A longer name has a count of two bytes, of which the first is negative.
        int nameBytes = from < limit ? bytes[from] : 0;
        int end = from + 1 + nameBytes + Integer.BYTES;
        if (nameBytes < MIN_NAME_BYTES || end > limit) {
            return null;
        }
        GraphType type = types.getAcquire(place(bytes, end));
        return type != null && type.isDeclaredBy(bytes, from, end) ? type : null;
    }

    void add(GraphType type) {
        byte[] declaration = type.declaration();
        if (declaration[0] >= MIN_NAME_BYTES) {
            types.setRelease(place(declaration, declaration.length), type);
        }
    }

    /** The last letters of the name, and the fingerprint. */
    private static int place(byte[] bytes, int end) {
        long tail = (long) TAIL.get(bytes, end - Long.BYTES);
        return (int) ((tail * GOLDEN_RATIO) >>> (Long.SIZE - PLACE_BITS));
    }
}

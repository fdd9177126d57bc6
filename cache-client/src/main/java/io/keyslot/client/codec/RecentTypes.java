// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of types by the bytes of their declarations, which saves decoding the name and looking it up. A type replaces
 * the previous one at its place, so the number is bounded. Types with very short or long names, or with very many
 * fields, are not cached. Safe for use by several threads.
 */
final class RecentTypes {
    private static final VarHandle TAIL = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final int PLACE_BITS = 7;

    /** The place is computed from the name with its length. */
    private static final int MIN_NAME_BYTES = Long.BYTES - 1;

    /** The length of the name before it, and the form after it. */
    private static final int BYTES_AROUND = 2;

    private final AtomicReferenceArray<@Nullable GraphType> types = new AtomicReferenceArray<>(1 << PLACE_BITS);

    @Nullable
    GraphType find(byte[] bytes, int from, int limit) {
        int end = endOf(bytes, from, limit);
        if (end < 0) {
            return null;
        }
        GraphType type = types.getAcquire(place(bytes, from, end));
        return type != null && type.isDeclaredBy(bytes, from, end) ? type : null;
    }

    void add(GraphType type) {
        byte[] declaration = type.declaration();
        if (endOf(declaration, 0, declaration.length) >= 0) {
            types.setRelease(place(declaration, 0, declaration.length), type);
        }
    }

    /** Returns the end of a declaration, or -1 if its name is short, or one of its lengths has more than a byte. */
    private static int endOf(byte[] bytes, int from, int limit) {
        int nameBytes = from < limit ? bytes[from] : 0;
        int count = from + nameBytes + BYTES_AROUND;
        if (nameBytes < MIN_NAME_BYTES || count >= limit || bytes[count] < 0) {
            return -1;
        }
        int end = count + 1 + bytes[count] * Integer.BYTES;
        return end > limit ? -1 : end;
    }

    /** Hashes the end of the name and the last two fields of the shape. */
    private static int place(byte[] bytes, int from, int end) {
        long name = (long) TAIL.get(bytes, from + 1 + bytes[from] - Long.BYTES);
        long shape = (long) TAIL.get(bytes, end - Long.BYTES);
        return (int) (((name * 31 + shape) * GOLDEN_RATIO) >>> (Long.SIZE - PLACE_BITS));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in an array of bytes, the highest byte first, as a {@link java.nio.ByteBuffer} has them, which would be an object
 * for each look. Outside the array they throw {@link IndexOutOfBoundsException}.
 */
final class BigEndian {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    public static int getInt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    public static long getLong(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    public static void putInt(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    public static void putLong(byte[] bytes, int offset, long value) {
        LONG.set(bytes, offset, value);
    }
}

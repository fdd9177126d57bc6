// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.nio.ByteBuffer;

/** Byte arrays as they are. OwnSizes on both ways, so that neither side sees what the other does to its array. Immutable. */
public final class BytesCodec implements GapCodec<byte[]> {
    @Override
    public String name() {
        return "bytes";
    }

    @Override
    public byte[] encode(byte[] value, int gapBytes) {
        byte[] bytes = new byte[gapBytes + value.length];
        System.arraycopy(value, 0, bytes, gapBytes, value.length);
        return bytes;
    }

    @Override
    public byte[] decode(ByteBuffer bytes) {
        return remainingOf(bytes);
    }

    /** Returns a copy of what remains, and moves the buffer to its end. */
    static byte[] remainingOf(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    /** Returns a buffer with the same bytes whose array can be read: this one, or a copy if it hides its array. */
    static ByteBuffer withArray(ByteBuffer bytes) {
        return bytes.hasArray() ? bytes : ByteBuffer.wrap(remainingOf(bytes));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.util.Arrays;

/** Byte arrays as they are. Copies on both ways, so that neither side sees what the other does to its array. Immutable. */
public final class BytesCodec implements ArrayCodec<byte[]> {
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
    public byte[] decode(byte[] bytes, int offset, int length) {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import java.util.Arrays;

/** Byte arrays, copied when encoding and decoding, so later changes to an array have no effect. Immutable. */
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

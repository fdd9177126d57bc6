// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/** Byte arrays as they are. Copies on both ways, so that neither side sees what the other does to its array. Immutable. */
public final class BytesCodec implements Codec<byte[]> {
    @Override
    public String name() {
        return "bytes";
    }

    @Override
    public byte[] encode(byte[] value) {
        return value.clone();
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
}

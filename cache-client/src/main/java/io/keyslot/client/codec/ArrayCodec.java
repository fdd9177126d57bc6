// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/** A codec that encodes behind a gap for a header, and decodes in an array that others use as well, to save copies. */
interface ArrayCodec<V> extends Codec<V> {
    /** Returns the gap, filled with zeros, followed by the value's bytes. */
    byte[] encode(V value, int gapBytes);

    @Override
    default byte[] encode(V value) {
        return encode(value, 0);
    }

    /** Decodes bytes of the array, which are neither changed nor kept. */
    V decode(byte[] bytes, int offset, int length);

    @Override
    default V decode(ByteBuffer bytes) {
        ByteBuffer readable = withArray(bytes);
        V value = decode(readable.array(), readable.arrayOffset() + readable.position(), readable.remaining());
        bytes.position(bytes.limit());
        return value;
    }

    /** Returns a buffer with the same bytes and an accessible array: this one, or a copy. */
    static ByteBuffer withArray(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return bytes;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return ByteBuffer.wrap(copy);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/**
 * A codec of ours, which works where a value's bytes are: it can leave a gap before them, for what has to stand there, and
 * read them in an array that others use as well. Each saves a copy.
 */
interface ArrayCodec<V> extends Codec<V> {
    /**
     * Returns the gap, filled with zeros, and behind it the value's bytes.
     *
     * @throws io.keyslot.cache.failure.CodecException if the value has no encoded form
     */
    byte[] encode(V value, int gapBytes);

    @Override
    default byte[] encode(V value) {
        return encode(value, 0);
    }

    /** As {@link #decode(ByteBuffer)}, of these bytes of the array, which are neither changed nor kept. */
    V decode(byte[] bytes, int offset, int length);

    @Override
    default V decode(ByteBuffer bytes) {
        ByteBuffer readable = withArray(bytes);
        V value = decode(readable.array(), readable.arrayOffset() + readable.position(), readable.remaining());
        bytes.position(bytes.limit());
        return value;
    }

    /** Returns a buffer with the same bytes whose array can be read: this one, or a copy if it hides its array. */
    static ByteBuffer withArray(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return bytes;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return ByteBuffer.wrap(copy);
    }
}

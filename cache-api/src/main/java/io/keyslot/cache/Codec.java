// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.nio.ByteBuffer;

/**
 * Turns the values of a cache into bytes and back.
 *
 * <p>Implementations are safe for use by several threads. They run on the caller's thread, never on an I/O thread. A
 * value has the same bytes in every process, and bytes of a released version stay readable.
 */
public interface Codec<V> {
    /** Returns a short, stable name for messages, such as {@code kryo}. */
    String name();

    /**
     * Encodes a value.
     *
     * @throws io.keyslot.cache.failure.CodecException if the value has no encoded form
     */
    byte[] encode(V value);

    /**
     * Decodes a value from the remaining bytes of the buffer. A runtime exception means that the bytes are not a value;
     * the entry is then treated as absent.
     *
     * @throws io.keyslot.cache.failure.CodecException if the bytes name a class that is not allowed
     */
    V decode(ByteBuffer bytes);
}

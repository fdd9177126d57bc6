// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import java.nio.ByteBuffer;

/**
 * Turns the values of a cache into bytes and back.
 *
 * <p>Implementations are safe for use by several threads. They run on the caller's thread, never on one that does I/O.
 * Equal bytes come from the same value in every process; what was encoded by a released version stays readable.
 *
 * @param <V> the type of the values
 */
public interface Codec<V> {
    /** Returns a short, stable name for messages, such as {@code kryo}. */
    String name();

    /**
     * Returns the value's bytes.
     *
     * @throws io.keyslot.cache.failure.CodecException if the value has no encoded form
     */
    byte[] encode(V value);

    /**
     * Reads a value from what remains in the buffer. Any runtime exception means that the bytes are not a value: the
     * entry is then treated as missing.
     *
     * @throws io.keyslot.cache.failure.CodecException if the bytes name a class that is not allowed
     */
    V decode(ByteBuffer bytes);
}

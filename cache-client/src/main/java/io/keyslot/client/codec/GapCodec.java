// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;

/** A codec that can leave a gap before a value's bytes, for what has to stand there, which saves a copy of them. */
interface GapCodec<V> extends Codec<V> {
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
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/** A codec that checks the type of decoded values, and leaves the bytes of its delegate unchanged. */
public record TypedCodec<V>(Codec<V> codec, Class<V> valueType) implements Codec<V> {
    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public byte[] encode(V value) {
        byte[] bytes = codec.encode(value);
        return codec instanceof ArrayCodec<V> ? bytes : bytes.clone(); // an application's codec might keep them
    }

    /** Throws {@code IllegalArgumentException} if the bytes are not a value of the declared type. */
    @Override
    public V decode(ByteBuffer bytes) {
        V value = codec.decode(bytes);
        // The codec's type parameter is erased at run time.
        if (!valueType.isInstance(value)) {
            throw new IllegalArgumentException("Codec %s: the bytes are a value of another type than %s"
                    .formatted(name(), valueType.getTypeName()));
        }
        return value;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;

/**
 * Another codec whose values are of the type that the cache declares, whoever has written the bytes. Nothing is added to
 * them. As safe for use by several threads as the other codec.
 *
 * @param <V> the type of the values
 */
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

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the bytes are not a value of the declared type
     */
    @Override
    public V decode(ByteBuffer bytes) {
        V value = codec.decode(bytes);
        // By the class object: the codec's own type parameter says nothing at run time.
        if (!valueType.isInstance(value)) {
            throw new IllegalArgumentException("Codec %s: the bytes are a value of another type than %s"
                    .formatted(name(), valueType.getTypeName()));
        }
        return value;
    }
}

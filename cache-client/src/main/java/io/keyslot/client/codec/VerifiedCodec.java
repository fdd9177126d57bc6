// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Another codec whose bytes are served only as they were written, and only as the type that the cache declares.
 *
 * <p>A codec alone cannot see most of what happens to its bytes: text with a changed letter is text. So the CRC-32C of
 * the value's bytes stands before them, and bytes that do not fit are not a value. Nor is a value of another type one,
 * as another version of the application may have written it: it would fail later, wherever the caller uses it.
 *
 * <p>As safe for use by several threads as the other codec.
 *
 * @param <V> the type of the values
 */
public final class VerifiedCodec<V> implements Codec<V> {
    private final Codec<V> codec;
    private final Class<V> valueType;

    public VerifiedCodec(Codec<V> codec, Class<V> valueType) {
        this.codec = codec;
        this.valueType = valueType;
    }

    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public byte[] encode(V value) {
        byte[] bytes = encodeBehindGap(value);
        ByteBuffer.wrap(bytes).putInt(0, checksum(bytes, Integer.BYTES, bytes.length - Integer.BYTES));
        return bytes;
    }

    private byte[] encodeBehindGap(V value) {
        if (codec instanceof GapCodec<V> gapCodec) {
            return gapCodec.encode(value, Integer.BYTES);
        }
        byte[] encoded = codec.encode(value);
        byte[] bytes = new byte[Integer.BYTES + encoded.length];
        System.arraycopy(encoded, 0, bytes, Integer.BYTES, encoded.length);
        return bytes;
    }

    /**
     * Reads a value.
     *
     * @throws io.keyslot.cache.failure.CodecException if the bytes name a class that is not allowed
     * @throws IllegalArgumentException if they are not as they were written, or not a value of the declared type
     */
    @Override
    public V decode(ByteBuffer bytes) {
        // At most one copy, for the checksum and for the codec.
        ByteBuffer readable = BytesCodec.withArray(bytes);
        if (readable.remaining() < Integer.BYTES || readable.getInt() != checksum(readable)) {
            throw new IllegalArgumentException("Codec %s: the bytes are not as they were written".formatted(name()));
        }
        V value = codec.decode(readable);
        // By the class object: the codec's own type parameter says nothing at run time.
        if (!valueType.isInstance(value)) {
            throw new IllegalArgumentException("Codec %s: the bytes are a value of another type than %s"
                    .formatted(name(), valueType.getTypeName()));
        }
        return value;
    }

    private static int checksum(ByteBuffer bytes) {
        return checksum(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A codec that adds a checksum to the bytes of its delegate, and checks the type of values. As thread-safe as that one.
 *
 * <p>A codec alone cannot detect most damage: text with a changed letter is text. So the CRC-32C of the value's bytes
 * comes first; its complement, if the bytes that follow are {@linkplain Compression compressed}. The type is checked
 * because a value of another type, perhaps from another version of the application, would fail later, in the caller's
 * code.
 */
public record VerifiedCodec<V>(Codec<V> codec, Class<V> valueType, Compression compression) implements Codec<V> {
    private static final VarHandle CHECKSUM = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** Creates a codec without compression, which does not read compressed bytes either. */
    public VerifiedCodec(Codec<V> codec, Class<V> valueType) {
        this(codec, valueType, new Compression(Compression.OFF, 0));
    }

    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public byte[] encode(V value) {
        byte[] bytes = encodeBehindGap(value);
        byte[] compressed = compression.compressBehindGap(bytes, Integer.BYTES);
        if (compressed != null) {
            CHECKSUM.set(compressed, 0, ~checksum(compressed, Integer.BYTES, compressed.length - Integer.BYTES));
            return compressed;
        }
        CHECKSUM.set(bytes, 0, checksum(bytes, Integer.BYTES, bytes.length - Integer.BYTES));
        return bytes;
    }

    /** Returns an equal value that shares nothing with this one. */
    public V copy(V value) {
        byte[] bytes = encodeBehindGap(value);
        return decodeVerified(bytes, Integer.BYTES, bytes.length - Integer.BYTES, false);
    }

    private byte[] encodeBehindGap(V value) {
        if (codec instanceof ArrayCodec<V> arrayCodec) {
            return arrayCodec.encode(value, Integer.BYTES);
        }
        byte[] encoded = codec.encode(value);
        byte[] bytes = new byte[Integer.BYTES + encoded.length];
        System.arraycopy(encoded, 0, bytes, Integer.BYTES, encoded.length);
        return bytes;
    }

    /**
     * Throws {@code CodecException} if the bytes name a class that is not allowed.
     * @throws IllegalArgumentException if the checksum does not match, or the value is not of the declared type
     */
    @Override
    public V decode(ByteBuffer bytes) {
        ByteBuffer readable = ArrayCodec.withArray(bytes);
        int offset = readable.arrayOffset() + readable.position();
        V value = decode(readable.array(), offset, readable.remaining(), false);
        bytes.position(bytes.limit());
        return value;
    }

    /**
     * Decodes bytes of an array; if others share it, the codec of an application, which might change it, gets a copy.
     */
    public V decode(byte[] bytes, int offset, int length, boolean isShared) {
        int valueOffset = offset + Integer.BYTES;
        int valueLength = length - Integer.BYTES;
        int expected = valueLength < 0 ? 0 : (int) CHECKSUM.get(bytes, offset);
        int actual = valueLength < 0 ? 1 : checksum(bytes, valueOffset, valueLength);
        if (actual == ~expected) {
            byte[] value = compression.decompress(bytes, valueOffset, valueLength);
            return checked(decodeVerified(value, 0, value.length, false), codec, valueType);
        }
        if (actual != expected) {
            throw new IllegalArgumentException("Codec %s: the bytes are not as they were written".formatted(name()));
        }
        return checked(decodeVerified(bytes, valueOffset, valueLength, isShared), codec, valueType);
    }

    private static <V> V checked(V value, Codec<V> codec, Class<V> type) {
        // The codec's type parameter is erased at run time.
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("Codec %s: the bytes are a value of another type than %s"
                    .formatted(codec.name(), type.getTypeName()));
        }
        return value;
    }

    private V decodeVerified(byte[] bytes, int offset, int length, boolean isShared) {
        if (codec instanceof ArrayCodec<V> arrayCodec) {
            return arrayCodec.decode(bytes, offset, length);
        }
        return codec.decode(
                isShared
                        ? ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length))
                        : ByteBuffer.wrap(bytes, offset, length).slice());
    }

    /** Computes the CRC-32C of bytes. */
    public static int checksum(byte[] bytes, int offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }

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
            return checked(codec.decode(bytes), codec, valueType);
        }
    }
}

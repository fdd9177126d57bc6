// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates codecs by their configured names, or by the names of their classes. */
public final class Codecs {
    /** Selects the codec by the type of the values. */
    public static final String DEFAULT = "default";

    /** Strings as UTF-8. */
    public static final Codec<String> STRING = new StringCodec();

    /** Byte arrays, which it copies. */
    public static final Codec<byte[]> BYTES = new BytesCodec();

    private static final List<String> NAMES = List.of(DEFAULT, "kryo5", "kryo", "string", "bytes", "json", "jdk");

    private Codecs() {}

    /** Returns the names of the built-in codecs. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Creates the codec of this name; a name with a dot is that of a class with a public constructor without
     * parameters. Allows the types that the value type declares, besides the given classes.
     *
     * @throws IllegalArgumentException if there is no such codec, or it cannot hold values of the type
     */
    public static Codec<?> create(String name, Class<?> valueType, AllowedClasses allowed, ClassLoader loader) {
        return switch (name) {
            case DEFAULT ->
                valueType == String.class
                        ? STRING
                        : valueType == byte[].class ? BYTES : KryoCodec.create(allowed.with(valueType), loader);
            case "kryo5", "kryo" -> KryoCodec.create(allowed.with(valueType), loader);
            case "jdk" -> JdkCodec.create(allowed.with(valueType), loader);
            case JsonCodec.NAME -> JsonCodec.create(valueType, allowed.with(valueType), loader);
            case "string" -> require(valueType, String.class, STRING);
            case "bytes" -> require(valueType, byte[].class, BYTES);
            default -> createByClass(name, loader);
        };
    }

    /** Creates the codec of keys without a text form, for a cache whose values have the named codec. */
    public static Codec<Object> ofKeys(String codecName, AllowedClasses allowed, ClassLoader loader) {
        return codecName.equals(JdkCodec.NAME) ? JdkCodec.create(allowed, loader) : KryoCodec.ofKeys(allowed, loader);
    }

    /** Returns why no value of a declared type can be encoded, as far as its declaration tells; null if it can. */
    public static @Nullable String problemOf(Codec<?> codec, Type declared) {
        if (codec instanceof VerifiedCodec<?> verified) {
            return problemOf(verified.codec(), declared);
        }
        return codec instanceof KryoCodec kryo ? kryo.problemOf(declared) : null;
    }

    private static Codec<?> createByClass(String name, ClassLoader loader) {
        if (name.indexOf('.') < 0) {
            throw new IllegalArgumentException("codec is '%s', must be one of %s, or the full name of a class"
                    .formatted(name, String.join(", ", NAMES)));
        }
        try {
            return Class.forName(name, true, loader)
                    .asSubclass(Codec.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IllegalArgumentException(
                    "codec is '%s', which is not a Codec with a public constructor without parameters on the class path"
                            .formatted(name),
                    e);
        }
    }

    private static Codec<?> require(Class<?> valueType, Class<?> needed, Codec<?> codec) {
        if (!valueType.isAssignableFrom(needed)) {
            throw new IllegalArgumentException("codec is '%s', which is for values of type %s, not %s"
                    .formatted(codec.name(), needed.getTypeName(), valueType.getTypeName()));
        }
        return codec;
    }

    /**
     * Strings as UTF-8, readable by every other program. Keeps unpaired surrogates as three bytes each, which other
     * programs may refuse. Immutable. Decoding throws {@link IllegalArgumentException} if the bytes are not UTF-8.
     */
    private static final class StringCodec implements ArrayCodec<String> {
        @Override
        public String name() {
            return "string";
        }

        @Override
        public byte[] encode(String value, int gapBytes) {
            byte[] bytes = new byte[gapBytes + value.length()];
            if (Utf8.copyAscii(value, bytes, gapBytes)) {
                return bytes;
            }
            byte[] utf8 = Utf8.encode(value);
            byte[] longer = new byte[gapBytes + utf8.length];
            System.arraycopy(utf8, 0, longer, gapBytes, utf8.length);
            return longer;
        }

        @Override
        public String decode(byte[] bytes, int offset, int length) {
            return Utf8.decode(bytes, offset, length);
        }
    }

    /** Byte arrays, copied when encoding and decoding, so later changes to an array have no effect. Immutable. */
    private static final class BytesCodec implements ArrayCodec<byte[]> {
        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public byte[] encode(byte[] value, int gapBytes) {
            byte[] bytes = new byte[gapBytes + value.length];
            System.arraycopy(value, 0, bytes, gapBytes, value.length);
            return bytes;
        }

        @Override
        public byte[] decode(byte[] bytes, int offset, int length) {
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }
    }
}

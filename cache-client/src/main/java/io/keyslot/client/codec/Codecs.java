// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.cache.Codec;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates codecs by their configured names, or by the names of their classes. */
public final class Codecs {
    /** Selects the codec by the type of the values. */
    public static final String DEFAULT = "default";

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
                        ? new StringCodec()
                        : valueType == byte[].class
                                ? new BytesCodec()
                                : KryoCodec.create(allowed.with(valueType), loader);
            case "kryo5", "kryo" -> KryoCodec.create(allowed.with(valueType), loader);
            case "jdk" -> JdkCodec.create(allowed.with(valueType), loader);
            case JsonCodec.NAME -> JsonCodec.create(valueType, allowed.with(valueType), loader);
            case "string" -> require(valueType, String.class, new StringCodec());
            case "bytes" -> require(valueType, byte[].class, new BytesCodec());
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
}

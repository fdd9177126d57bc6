// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntityKey;
import io.keyslot.client.codec.StringCodec;
import io.keyslot.client.key.FloatingPoint;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Encodes scalars as text, as {@code redis-cli} shows them: {@code 42}, {@code 0.1}, {@code true}. Refuses another text
 * of the same value, such as {@code 042}, which would be another element of a set; but not for floating-point numbers,
 * because servers format sums in their own way. Immutable.
 */
record TextCodec<E>(String name, Function<E, String> toText, Function<String, E> fromText, boolean isOnlyText)
        implements Codec<E> {
    private static final StringCodec UTF_8 = new StringCodec();

    private static final Map<Class<?>, TextCodec<?>> BY_CLASS = Map.ofEntries(
            entry(String.class, text -> text),
            entry(Long.class, Long::valueOf),
            entry(Integer.class, Integer::valueOf),
            entry(Short.class, Short::valueOf),
            entry(Byte.class, Byte::valueOf),
            entry(Boolean.class, Boolean::valueOf),
            entry(UUID.class, UUID::fromString),
            entry(EntityKey.class, EntityKey::parse),
            Map.entry(
                    Double.class,
                    new TextCodec<>("Double", value -> plain(FloatingPoint.text(value)), TextCodec::toDouble, false)),
            Map.entry(
                    Float.class,
                    new TextCodec<>(
                            "Float",
                            value -> plain(FloatingPoint.text(value)),
                            text -> (float) toDouble(text),
                            false)));

    @SuppressWarnings("unchecked") // guaranteed by the map and the enum
    static <E> Optional<Codec<E>> of(Class<E> type) {
        return Optional.ofNullable((Codec<E>) (type.isEnum() ? ofEnum(type) : BY_CLASS.get(type)));
    }

    private static <E> Map.Entry<Class<?>, TextCodec<?>> entry(Class<E> type, Function<String, E> fromText) {
        return Map.entry(type, new TextCodec<>(type.getSimpleName(), Object::toString, fromText, true));
    }

    private static <E> TextCodec<E> ofEnum(Class<E> type) {
        return new TextCodec<>(
                type.getSimpleName(), value -> ((Enum<?>) value).name(), text -> constant(type, text), true);
    }

    private static <E> E constant(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no such constant");
    }

    /** Returns a number as servers write it: {@code 99} and {@code inf}, not {@code 99.0} and {@code Infinity}. */
    private static String plain(String text) {
        return switch (text) {
            case "NaN" -> "nan";
            case "Infinity" -> "inf";
            case "-Infinity" -> "-inf";
            default -> text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        };
    }

    private static double toDouble(String text) {
        return switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    @Override
    public byte[] encode(E value) {
        return UTF_8.encode(toText.apply(value));
    }

    @Override
    public E decode(ByteBuffer bytes) {
        String text = UTF_8.decode(bytes);
        E value = fromText.apply(text);
        if (isOnlyText && !toText.apply(value).equals(text)) {
            throw new IllegalArgumentException("another text than that of a " + name);
        }
        return value;
    }
}

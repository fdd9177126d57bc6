// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.slot.KeyText;
import java.util.function.Function;

/** The form of a key that is a single text; {@code toText} returns equal texts for equal values, and only for them. */
record ScalarForm(String name, Function<Object, String> toText, Function<String, Object> fromText) implements KeyForm {
    static <T> ScalarForm of(Class<T> type, Function<T, String> toText, Function<String, T> fromText) {
        return new ScalarForm(
                type.getSimpleName(), value -> toText.apply(type.cast(value)), text -> fromText.apply(text));
    }

    static ScalarForm ofEnum(Class<?> type) {
        return new ScalarForm(
                KeyForms.className(type), value -> ((Enum<?>) value).name(), text -> constant(type, text));
    }

    /** Returns a form that throws when it is used: a declared class may never be used. */
    static ScalarForm refused(String name, String reason) {
        return new ScalarForm(
                name,
                value -> {
                    throw new IllegalArgumentException(reason);
                },
                text -> {
                    throw new IllegalArgumentException(reason);
                });
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no such constant");
    }

    String write(Object value, String alsoReserved) {
        return KeyText.escapeId(toText.apply(value), alsoReserved);
    }

    Object read(String escaped) {
        String text = KeyText.unescape(escaped);
        try {
            return fromText.apply(text);
        } catch (RuntimeException withTextInIt) {
            // Not kept as the cause: its message may contain the key.
            throw new IllegalArgumentException("a part of it is not the text of a " + name);
        }
    }
}

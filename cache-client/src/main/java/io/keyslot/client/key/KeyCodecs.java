// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.Codec;
import io.keyslot.client.stored.EncodedKey;
import java.util.function.Predicate;

/** Creates key codecs. */
public final class KeyCodecs {
    private KeyCodecs() {}

    /**
     * Returns the codec of a cache.
     *
     * <p>A declared type that has no text form is found out by the first key, not here: a cache may be created before it
     * is known which of its subclasses are used.
     *
     * @param declaredType what the keys are instances of; {@code Object} for an untyped cache
     * @param classLoader loads the classes that stored keys name
     * @param allowedClasses decides by its name whether a class that a stored key names may be loaded; the declared type
     *     always may
     * @param others encodes keys of classes of which nothing is known, the same bytes for equal keys
     */
    public static <K> KeyCodec<K> create(
            KeySpace space,
            Class<K> declaredType,
            ClassLoader classLoader,
            Predicate<String> allowedClasses,
            Codec<Object> others) {
        return new TextKeyCodec<>(
                space, declaredType, new KeyClasses(declaredType, classLoader, allowedClasses, others));
    }

    /** Returns the codec of a cache whose entries are to be listed in the indexes of their groups. */
    public static <K> KeyCodec<K> indexed(KeyCodec<K> keys) {
        return new MarkedKeys<>(keys, EncodedKey::indexed);
    }

    /** Returns the codec of a cache whose values stand alone under their keys. */
    public static <K> KeyCodec<K> raw(KeyCodec<K> keys) {
        return new MarkedKeys<>(keys, EncodedKey::raw);
    }
}

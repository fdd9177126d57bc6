// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.cache.Codec;
import io.keyslot.client.stored.EncodedKey;
import java.util.function.Predicate;

/** Creates key codecs. */
public final class KeyCodecs {
    private KeyCodecs() {}

    /**
     * Returns the codec of a cache, whose keys may name allowed classes and the declared type; {@code others} encodes
     * keys of unknown classes, with the same bytes for equal keys. The first key without a text form fails, not the
     * declared type, as the subclasses in use are not known yet.
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

    /** Returns the codec of a cache whose entries are listed in the indexes of their groups. */
    public static <K> KeyCodec<K> indexed(KeyCodec<K> keys) {
        return new MarkedKeys<>(keys, EncodedKey::indexed);
    }

    /** Returns the codec of a cache that stores values without an envelope. */
    public static <K> KeyCodec<K> raw(KeyCodec<K> keys) {
        return new MarkedKeys<>(keys, EncodedKey::raw);
    }
}

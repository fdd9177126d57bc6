// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;
import java.util.function.UnaryOperator;

/**
 * The key codec of a cache whose keys say how their entries are stored.
 *
 * @param mark puts that on a key, whose text stays as it is
 */
record MarkedKeys<K>(KeyCodec<K> keys, UnaryOperator<EncodedKey> mark) implements KeyCodec<K> {
    @Override
    public String prefix() {
        return keys.prefix();
    }

    @Override
    public EncodedKey encode(K key) {
        return mark.apply(keys.encode(key));
    }

    @Override
    public K decode(EncodedKey key) {
        return keys.decode(key);
    }
}

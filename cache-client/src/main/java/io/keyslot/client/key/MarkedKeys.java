// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;
import java.util.function.UnaryOperator;

/** A key codec that marks its keys with the form in which their entries are stored. */
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

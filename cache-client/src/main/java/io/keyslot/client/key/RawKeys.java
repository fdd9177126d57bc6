// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;

/** The key codec of a cache whose values stand alone under their keys. */
record RawKeys<K>(KeyCodec<K> keys) implements KeyCodec<K> {
    @Override
    public String prefix() {
        return keys.prefix();
    }

    @Override
    public EncodedKey encode(K key) {
        return keys.encode(key).raw();
    }

    @Override
    public K decode(EncodedKey key) {
        return keys.decode(key);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;

/**
 * Converts the keys of one cache to the text under which they are stored, and back. Keys have the same text if and only
 * if they are equal. Safe for use by several threads.
 */
public interface KeyCodec<K> {
    /**
     * Throws {@code ClassCastException} if the key is not of the declared type.
     * @throws IllegalArgumentException if the key has no text form, or is an entity key of another cache
     */
    EncodedKey encode(K key);

    /**
     * Throws {@code CodecException} if the text is not a key of this cache, or names a refused class.
     */
    K decode(EncodedKey key);

    /** Returns the beginning of all stored keys of this cache, and of no other: {@code shop/customer:}. */
    String prefix();
}

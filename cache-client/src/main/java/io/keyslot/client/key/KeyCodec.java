// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.stored.EncodedKey;

/**
 * Turns the keys of one cache into the text under which they are stored, and back.
 *
 * <p>The text follows {@code equals}: equal keys have the same text, and keys that are not equal have different texts.
 * Safe for use by any number of threads.
 *
 * @param <K> the declared type of the keys
 */
public interface KeyCodec<K> {
    /**
     * Returns the text of the key, with its slot.
     *
     * @throws ClassCastException if the key is not of the declared type
     * @throws IllegalArgumentException if the key has no text form, or is an entity key of another cache
     */
    EncodedKey encode(K key);

    /**
     * Returns the key whose text this is.
     *
     * @throws io.keyslot.cache.failure.CodecException if the text is not that of a key of this cache, or names a class
     *     that is not allowed or cannot be loaded
     */
    K decode(EncodedKey key);

    /** Returns what the stored keys of this cache start with, and those of no other cache: {@code shop/customer:}. */
    String prefix();
}

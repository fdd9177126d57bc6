// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/**
 * The key under which an instance keeps the newest beat of a namespace: a text. It is no entry, and no scan shows
 * it. Pure.
 */
public final class BeatKey {
    private static final String PREFIX = "keyslot:beat:";

    private BeatKey() {}

    /** Returns that of a namespace, empty for none. */
    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    /** Returns whether a key is one of these, of whatever namespace. */
    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

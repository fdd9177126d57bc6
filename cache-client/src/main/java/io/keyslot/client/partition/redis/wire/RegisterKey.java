// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/**
 * The key under which an instance remembers what it has said about the map of a namespace: one hash, so that it is evicted
 * with all its fields or not at all. It is no entry, and no scan shows it. Pure.
 */
public final class RegisterKey {
    private static final String PREFIX = "keyslot:map:";

    private RegisterKey() {}

    /** Returns that of a namespace, empty for none. */
    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    /** Returns whether a key is one of these, of whatever namespace. */
    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

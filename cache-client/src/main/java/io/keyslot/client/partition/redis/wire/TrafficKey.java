// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/**
 * The key under which an instance keeps the reports of the clients of a namespace: one hash. It is no entry, and no scan shows
 * it. Pure.
 */
public final class TrafficKey {
    private static final String PREFIX = "keyslot:load:";

    private TrafficKey() {}

    /** Returns that of a namespace, empty for none. */
    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    /** Returns whether a key is one of these, of whatever namespace. */
    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/** The key of a namespace's traffic reports: one hash, hidden from scans. Free of I/O. */
public final class TrafficKey {
    private static final String PREFIX = "keyslot:load:";

    private TrafficKey() {}

    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

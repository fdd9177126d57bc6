// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;

/** The key of a voter's state: one hash, which is evicted as a whole, and hidden from scans. Free of I/O. */
public final class RegisterKey {
    private static final String PREFIX = "keyslot:map:";

    private RegisterKey() {}

    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * A key with which a connection tests whether it receives invalidations, or whether another one leads to the same data.
 * It lives a minute at most, and is not part of scans.
 */
public final class ProbeKey {
    private static final String PREFIX = "keyslot:near:";

    private ProbeKey() {}

    public static EncodedKey of(long number) {
        return EncodedKey.of(PREFIX + Long.toHexString(number));
    }

    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

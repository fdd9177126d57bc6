// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/**
 * A key by which a connection finds out whether it is told of changes, or whether another one leads to the same data. What is stored
 * there lasts a minute at most, is nobody's entry, and no scan shows it. Pure.
 */
public final class ProbeKey {
    private static final String PREFIX = "keyslot:near:";

    private ProbeKey() {}

    /** Returns one of many. */
    public static EncodedKey of(long number) {
        return EncodedKey.of(PREFIX + Long.toHexString(number));
    }

    /** Returns whether a key is one of these. */
    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the fingerprint of a raw value, which replaces a stamp; a server computes the same ({@code raw.lua}). It has
 * 60 bits of the SHA-1: two different values collide with a probability of one in 10^18. An attacker who constructs a
 * collision can write the key anyway. The first of its 16 hexadecimal digits is always 1, so it differs from numbers
 * with a special meaning in commands.
 */
public final class Fingerprint {
    private static final long FIRST_DIGIT = 1L << 60;

    private Fingerprint() {}

    public static long of(byte[] value) {
        long digest = BigEndian.getLong(sha1().digest(value), 0);
        return (digest & (FIRST_DIGIT - 1)) | FIRST_DIGIT;
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }
}

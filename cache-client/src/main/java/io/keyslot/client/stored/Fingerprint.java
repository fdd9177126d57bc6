// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a raw value has in place of a stamp: a number that follows from its bytes, and that a server finds out as well ({@code
 * raw.lua}). It has 60 bits of their SHA-1: two values that are not the same have the same one by an accident of one in 10^18.
 * Who makes two such values on purpose can write the key anyway.
 *
 * <p>Of its 16 hexadecimal digits the first is always 1: it is none of the numbers that commands take for something else.
 */
public final class Fingerprint {
    private static final long FIRST_DIGIT = 1L << 60;

    private Fingerprint() {}

    /** Returns the fingerprint of these bytes. */
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

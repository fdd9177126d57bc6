// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys as plain clients store them, {@code customer:99}, encoded without an intermediate string. */
final class Keys {
    private static final byte[] PREFIX = "customer:".getBytes(StandardCharsets.US_ASCII);

    private Keys() {}

    static byte[] bytes(long id) {
        int end = PREFIX.length + digits(id);
        byte[] key = Arrays.copyOf(PREFIX, end);
        long rest = id;
        for (int i = end - 1; i >= PREFIX.length; i--) {
            key[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return key;
    }

    /** Returns the key of an entry of a customer's group: {@code account:{customer:99}:a}. */
    static byte[] account(long customer, String account) {
        return ("account:{customer:" + customer + "}:" + account).getBytes(StandardCharsets.US_ASCII);
    }

    private static int digits(long id) {
        int digits = 1;
        for (long rest = id / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }
}

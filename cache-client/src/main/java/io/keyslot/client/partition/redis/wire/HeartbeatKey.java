// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.util.Arrays;

/** The key of a namespace's newest heartbeat. It is no entry, and hidden from scans. Free of I/O. */
public final class HeartbeatKey {
    private static final String PREFIX = "keyslot:beat:";

    /** For each slot of a cluster, a number that hashes to it, used as the key's hash tag. */
    private static final class Tags {
        private static final int[] NUMBERS = numbers();

        private static int[] numbers() {
            int[] numbers = new int[HashSlot.COUNT];
            Arrays.fill(numbers, -1);
            int missing = HashSlot.COUNT;
            for (int number = 0; missing > 0; number++) {
                int slot = HashSlot.of(Integer.toString(number));
                if (numbers[slot] < 0) {
                    numbers[slot] = number;
                    missing--;
                }
            }
            return numbers;
        }
    }

    private HeartbeatKey() {}

    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    /** Returns the key of a namespace for the cluster primary that owns the slot. */
    public static EncodedKey of(String namespace, int slot) {
        return EncodedKey.of(PREFIX + namespace + "{" + Tags.NUMBERS[slot] + "}");
    }

    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

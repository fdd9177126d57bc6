// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.util.Arrays;

/**
 * The key under which an instance, or a primary of a cluster, keeps the newest beat of a namespace: a text. It is no entry, and no scan shows
 * it. Pure.
 */
public final class HeartbeatKey {
    private static final String PREFIX = "keyslot:beat:";

    /** For each slot of a cluster a number whose text is in it: the key of a beat has it as its hash tag. */
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

    /** Returns that of a namespace, empty for none. */
    public static EncodedKey of(String namespace) {
        return EncodedKey.of(PREFIX + namespace);
    }

    /** Returns that of a namespace for a primary of a cluster, which owns the slot. */
    public static EncodedKey of(String namespace, int slot) {
        return EncodedKey.of(PREFIX + namespace + "{" + Tags.NUMBERS[slot] + "}");
    }

    /** Returns whether a key is one of these, of whatever namespace. */
    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A key with which a connection tests whether it receives invalidations, or whether another one leads to the same data.
 * It lives a minute at most, and is not part of scans.
 */
public final class ProbeKey {
    private static final String PREFIX = "keyslot:near:";

    /** Enough to find a key of a single slot in all but a few cases in a million. */
    private static final int MOST_ATTEMPTS = 200_000;

    private ProbeKey() {}

    public static EncodedKey of(long number) {
        return EncodedKey.of(PREFIX + Long.toHexString(number));
    }

    /** Returns a key in one of the partition's slots; null if none is found, as it has no slots. */
    public static @Nullable EncodedKey at(PartitionId partition, SlotMap map, RandomGenerator random) {
        for (int i = 0; i < MOST_ATTEMPTS && map.slotsOf(partition) > 0; i++) {
            EncodedKey key = of(random.nextLong());
            if (map.ownerOf(key.slot()).filter(partition::equals).isPresent()) {
                return key;
            }
        }
        return null;
    }

    public static boolean isOne(EncodedKey key) {
        return key.text().startsWith(PREFIX);
    }
}

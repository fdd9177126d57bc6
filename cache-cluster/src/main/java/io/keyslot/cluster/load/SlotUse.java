// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.cluster.plan.SlotLoad;

/**
 * What is known of the use of one slot, or of several together.
 *
 * @param keys what is stored there, by count
 * @param bytes what that takes
 * @param calls how often it is asked for, a minute
 * @param traffic bytes that go to and fro, a minute
 */
public record SlotUse(long keys, long bytes, long calls, long traffic) {
    static final SlotUse NONE = new SlotUse(0, 0, 0, 0);

    SlotUse plus(SlotUse other) {
        return new SlotUse(keys + other.keys, bytes + other.bytes, calls + other.calls, traffic + other.traffic);
    }

    /** Returns the same with so many times the keys and bytes: what was seen of them is a part of all. */
    SlotUse stored(double times) {
        return new SlotUse(Math.round(keys * times), Math.round(bytes * times), calls, traffic);
    }

    SlotLoad asLoad() {
        return new SlotLoad(keys, bytes, calls);
    }
}

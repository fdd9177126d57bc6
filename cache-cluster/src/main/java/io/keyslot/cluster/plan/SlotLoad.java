// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/**
 * What is known of one slot.
 *
 * @param keys entries
 * @param bytes what they take
 * @param calls how often they were asked for, in the same time for all slots
 */
public record SlotLoad(long keys, long bytes, long calls) {
    static final SlotLoad NONE = new SlotLoad(0, 0, 0);

    public SlotLoad {
        if (keys < 0 || bytes < 0 || calls < 0) {
            throw new IllegalArgumentException("The load of a slot is never negative");
        }
    }

    long by(Measure measure) {
        return switch (measure) {
            case KEYS -> keys;
            case BYTES -> bytes;
            case CALLS -> calls;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/**
 * What is known of one slot, group or key, or of several together.
 *
 * @param keys entries
 * @param bytes what they take
 * @param calls how often they are asked for, in a minute
 * @param traffic bytes that are sent and received with these calls, in a minute
 */
public record SlotLoad(long keys, long bytes, long calls, long traffic) {
    public static final SlotLoad NONE = new SlotLoad(0, 0, 0, 0);

    public SlotLoad {
        if (keys < 0 || bytes < 0 || calls < 0 || traffic < 0) {
            throw new IllegalArgumentException("The load of a slot is never negative");
        }
    }

    public SlotLoad plus(SlotLoad other) {
        return new SlotLoad(
                sum(keys, other.keys), sum(bytes, other.bytes), sum(calls, other.calls), sum(traffic, other.traffic));
    }

    /** Reports are written by others: a sum that is too large is the largest number. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Returns the same with so many times the keys and bytes: a sample has seen a part of them. */
    public SlotLoad stored(double times) {
        return new SlotLoad(Math.round(keys * times), Math.round(bytes * times), calls, traffic);
    }

    public long by(Measure measure) {
        return switch (measure) {
            case KEYS -> keys;
            case BYTES -> bytes;
            case CALLS -> calls;
        };
    }
}

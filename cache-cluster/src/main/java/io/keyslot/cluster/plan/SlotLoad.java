// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/** The known load of a slot, group or key, or of several together; calls and traffic (bytes) are per minute. */
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

    /** Reports come from other processes, so sums saturate. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Returns the load with keys and bytes multiplied, to extrapolate a sample. */
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

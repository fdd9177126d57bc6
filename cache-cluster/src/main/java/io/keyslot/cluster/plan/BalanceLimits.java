// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/**
 * How far loads are evened out.
 *
 * @param threshold how much more than its fair share a partition may have, as a part of that share; below, moving costs more than
 *     it brings
 * @param mostSlots how many slots a plan moves at most
 */
public record BalanceLimits(double threshold, int mostSlots) {
    /** A twentieth more than a fair share is nothing. */
    public static final double THRESHOLD = 0.05;

    /** Cold slots bring little: no plan moves more. */
    public static final int MOST_SLOTS = 4096;

    /** Once something is moved, it is moved until this part of the threshold is left: the next day is another one. */
    private static final double AIM = 0.6;

    public BalanceLimits {
        if (!(threshold > 0 && threshold <= 10)) {
            throw new IllegalArgumentException(
                    "The threshold is %s, must be more than 0 and at most 1000 %%".formatted(threshold));
        }
        if (mostSlots < 1 || mostSlots > MOST_SLOTS) {
            throw new IllegalArgumentException(
                    "%d slots are to move at most, must be from 1 to %d".formatted(mostSlots, MOST_SLOTS));
        }
    }

    public static BalanceLimits defaults() {
        return new BalanceLimits(THRESHOLD, MOST_SLOTS);
    }

    /** Returns the multiple of its fair share up to which a partition is left alone. */
    double tolerated() {
        return 1 + threshold;
    }

    /** Returns the multiple to which those are brought that have more. */
    double aim() {
        return 1 + threshold * AIM;
    }
}

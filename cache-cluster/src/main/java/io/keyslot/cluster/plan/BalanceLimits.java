// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.SlotSet;

/**
 * The limits of balancing: the tolerated excess of a partition over its fair share, as a part of that share, below
 * which moving costs more than it gains; the most slots of a plan; whether unpinned slots of placements may move; and slots that stay.
 */
public record BalanceLimits(double threshold, int mostSlots, boolean movesPlaced, SlotSet staying) {
    public static final double THRESHOLD = 0.05;

    /** Further slots have little load. */
    public static final int MOST_SLOTS = 4096;

    /** The part of the threshold to which overload is reduced, so that it is not exceeded again soon. */
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

    /** Creates limits by which any slot may move. */
    public BalanceLimits(double threshold, int mostSlots, boolean movesPlaced) {
        this(threshold, mostSlots, movesPlaced, SlotSet.none());
    }

    public static BalanceLimits defaults() {
        return new BalanceLimits(THRESHOLD, MOST_SLOTS, false);
    }

    double tolerated() {
        return 1 + threshold;
    }

    double aim() {
        return 1 + threshold * AIM;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * For how long slots may be frozen while what was written last is copied, by the attempts that there were. After {@value #ATTEMPTS} it is
 * twice as long, or doubled as often as the quickest copy of these attempts needs: lengths that none of them would have kept are not tried.
 * So what takes equally long each time is tried at the length that it needs from the next attempt on. Immutable.
 */
record FreezeLength(Duration allowed, int attempts, Duration quickest) {
    /** After a freeze of this length the last keys are given up, and written once more is awaited. */
    static final Duration FIRST = Duration.ofMillis(50);

    /** A freeze never lasts longer than this before the map is changed, whatever is written. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    static final int ATTEMPTS = 8;

    private static final Duration UNKNOWN = LONGEST;

    static FreezeLength first() {
        return new FreezeLength(FIRST, 0, UNKNOWN);
    }

    /** Returns whether nothing is longer, and all attempts were in vain: the next one begins to count anew. */
    boolean isOver() {
        return attempts == ATTEMPTS;
    }

    /**
     * Returns the length after an attempt that was in vain.
     *
     * @param copied how long the last copy took while nothing was frozen
     */
    FreezeLength after(Duration copied) {
        Duration best = copied.compareTo(quickest) < 0 ? copied : quickest;
        int made = isOver() ? 1 : attempts + 1;
        return made < ATTEMPTS || allowed.equals(LONGEST)
                ? new FreezeLength(allowed, made, best)
                : new FreezeLength(longer(best), 0, UNKNOWN);
    }

    private Duration longer(Duration needed) {
        Duration next = allowed.multipliedBy(2);
        while (next.compareTo(needed) < 0) {
            next = next.multipliedBy(2);
        }
        return next.compareTo(LONGEST) < 0 ? next : LONGEST;
    }
}

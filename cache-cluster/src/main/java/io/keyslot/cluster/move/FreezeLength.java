// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * The longest freeze for copying the last dirty keys. After {@value #ATTEMPTS} failed attempts it doubles as often as
 * the quickest copy of these attempts needs. Immutable.
 */
record FreezeLength(Duration allowed, int attempts, Duration quickest) {
    /** A freeze of this length is reverted if its copy is not complete. */
    static final Duration FIRST = Duration.ofMillis(50);

    /** The longest freeze before the map is changed, whatever is written. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    static final int ATTEMPTS = 8;

    private static final Duration UNKNOWN = LONGEST;

    static FreezeLength first() {
        return new FreezeLength(FIRST, 0, UNKNOWN);
    }

    /** Returns whether all attempts at the longest length have failed; the next one starts a new count. */
    boolean isOver() {
        return attempts == ATTEMPTS;
    }

    /** Returns the length after a failed attempt. {@code copied} is the duration of the last copy without a freeze. */
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

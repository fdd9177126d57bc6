// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;

/**
 * How long a key waits after its change could not be written: up to 100 ms, doubled with every failure to up to 30 s. Half
 * of it is random, so that the processes of a fleet do not come back to the database at the same moment.
 */
record RetryPause(Timing timing) {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The first number of failures after which the pause is the longest one. */
    private static final int LONGEST_FROM = 10;

    /** Returns the pause after so many failures in a row. */
    long nanosAfter(int failures) {
        Duration half = limit(failures).dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    static Duration limit(int failures) {
        return failures >= LONGEST_FROM ? LONGEST : FIRST.multipliedBy(1L << (failures - 1));
    }
}

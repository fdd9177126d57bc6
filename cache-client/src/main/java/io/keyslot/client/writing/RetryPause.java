// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;

/**
 * The pause of a key after a failed write: up to 100 ms, doubled with each failure, up to 30 s. Half of it is random,
 * so that the processes do not return to the database at the same moment.
 */
record RetryPause(Timing timing) {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The smallest number of failures with the longest pause. */
    private static final int LONGEST_FROM = 10;

    long nanosAfter(int failures) {
        Duration half = limit(failures).dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    static Duration limit(int failures) {
        return failures >= LONGEST_FROM ? LONGEST : FIRST.multipliedBy(1L << (failures - 1));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;

/**
 * The pauses between connects to a missing partition: none before the first, then up to 100 ms, doubled with every
 * failure up to 2 s. Each pause is random between 0 and that limit ("full jitter"), so that the processes of a fleet do
 * not reconnect at the same moment.
 */
final class ProbePace {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Timing timing;

    ProbePace(Timing timing) {
        this.timing = timing;
    }

    long pauseNanos(Missing missing) {
        return missing.attempts() == 0 ? 0 : timing.upTo(limit(missing));
    }

    /** Returns the limit of the pause. A rejection needs a human, so it takes the longest pause. */
    static Duration limit(Missing missing) {
        if (missing.isRejected() || missing.attempts() > 5) {
            return LONGEST_PAUSE;
        }
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << (missing.attempts() - 1));
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}

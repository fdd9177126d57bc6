// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;

/** Pauses between attempts, by chance: the limit of each is twice that of the one before, up to a bound. Its tap holds a lock. */
final class LongerPauses {
    private final Timing timing;
    private final Duration first;
    private final Duration longest;
    private Duration limit;

    LongerPauses(Timing timing, Duration first, Duration longest) {
        this.timing = timing;
        this.first = first;
        this.longest = longest;
        this.limit = first;
    }

    /** Returns the next pause in nanoseconds. */
    long next() {
        long pause = timing.upTo(limit);
        limit = limit.compareTo(longest.dividedBy(2)) > 0 ? longest : limit.multipliedBy(2);
        return pause;
    }

    /** It was successful: the next pause is a short one. */
    void reset() {
        limit = first;
    }
}

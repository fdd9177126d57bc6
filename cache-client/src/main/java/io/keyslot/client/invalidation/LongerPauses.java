// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.client.concurrent.Timing;
import java.time.Duration;

/** Random pauses between attempts, whose limit doubles up to a bound. Guarded by the subscription's lock. */
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

    long next() {
        long pause = timing.upTo(limit);
        limit = limit.compareTo(longest.dividedBy(2)) > 0 ? longest : limit.multipliedBy(2);
        return pause;
    }

    void reset() {
        limit = first;
    }
}

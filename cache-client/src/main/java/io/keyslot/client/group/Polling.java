// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls with growing pauses, half of each at random, because blocking commands would block the shared connection. Safe
 * for use by several threads.
 */
record Polling(Timing timing, Waiter waiter, Duration longestPause) {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /** Polls until there is an answer, or the time is over (returns null). An interrupt ends the pauses. */
    <T> @Nullable T await(Duration atMost, Supplier<@Nullable T> poll) {
        Deadline end = Deadline.after(timing.ticker(), atMost.isNegative() ? Duration.ZERO : atMost);
        Duration longest = SHORTEST_PAUSE;
        while (true) {
            T answer = poll.get();
            if (answer != null || end.isOver()) {
                return answer;
            }
            Duration half = longest.dividedBy(2);
            waiter.pause(Duration.ofNanos(Math.min(half.toNanos() + timing.upTo(half), end.remainingNanos())));
            longest = Timing.doubled(longest, 1, longestPause);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;

/** How long one load waits for another, of a thread of this process or of another process. Safe for use by several threads. */
public final class LoadWaits {
    /** How long to wait for another thread's loader that has no timeout. */
    static final Duration LONGEST_FLIGHT = Duration.ofSeconds(60);

    /** How long a loader waits for another: the other one may be waiting for this one. */
    static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(100);

    /** Between two looks at what another process is loading. */
    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);

    private static final int MOST_POLL_JITTER_MILLIS = 15;

    private final Waiter waiter;
    private final Timing timing;

    public LoadWaits(Waiter waiter, Timing timing) {
        this.waiter = waiter;
        this.timing = timing;
    }

    /** Waits for a load of another thread; its result is unknown if that takes too long, or this one is interrupted. */
    <V> LoadResult<V> await(Flight<V> flight) {
        Duration longest = LoaderCalls.isInLoader() ? LONGEST_NESTED_WAIT : LONGEST_FLIGHT;
        return waiter.await(flight.result(), Deadline.after(timing.ticker(), longest), LoadResult::unknown);
    }

    /** Waits for the load that comes before this one; what its thread waited for the partition is taken off the budget. */
    void awaitAhead(Flight<?> ahead, CallBudget budget) {
        long start = timing.ticker().nanos();
        await(ahead);
        budget.spendWithAnother(Duration.ofNanos(timing.ticker().nanos() - start), ahead.spent());
    }

    /**
     * How long to wait for another process; a loader may be what that one waits for. A call that has waited long for
     * partitions, or for another thread, has less patience.
     */
    Deadline patienceWithOthers(Duration patience, CallBudget budget) {
        Duration longest = patience.minus(budget.waited());
        boolean isLong = LoaderCalls.isInLoader() && longest.compareTo(LONGEST_NESTED_WAIT) > 0;
        return Deadline.after(timing.ticker(), isLong ? LONGEST_NESTED_WAIT : longest);
    }

    /** Lets some milliseconds pass before the next look at what another process is loading. */
    void pause() {
        waiter.pause(SHORTEST_POLL.plusMillis(timing.random().nextInt(MOST_POLL_JITTER_MILLIS)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;

/** Waits for loads of other threads or processes. Thread-safe. */
public final class LoadWaits {
    /** The longest wait for a loader without a timeout in another thread. */
    static final Duration LONGEST_FLIGHT = Duration.ofSeconds(60);

    /** The longest wait of a loader for another, which may be waiting for this one. */
    static final Duration LONGEST_NESTED_WAIT = Duration.ofMillis(100);

    /** The shortest pause between two reads of an entry that another process is loading. */
    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);

    private static final int MOST_POLL_JITTER_MILLIS = 15;

    private final Waiter waiter;
    private final Timing timing;

    public LoadWaits(Waiter waiter, Timing timing) {
        this.waiter = waiter;
        this.timing = timing;
    }

    /** Waits for a load of another thread. The result is unknown after a timeout or an interruption. */
    <V> LoadResult<V> await(Flight<V> flight) {
        Duration longest = LoaderCalls.isInLoader() ? LONGEST_NESTED_WAIT : LONGEST_FLIGHT;
        return waiter.await(flight.result(), Deadline.after(timing.ticker(), longest), LoadResult::unknown);
    }

    /** Waits for the preceding load, and subtracts its waiting time for the partition from the budget. */
    void awaitAhead(Flight<?> ahead, CallBudget budget) {
        long start = timing.ticker().nanos();
        await(ahead);
        budget.spendWithAnother(Duration.ofNanos(timing.ticker().nanos() - start), ahead.spent());
    }

    /**
     * Returns how long to wait for another process, which may itself wait for a loader in this one. The time that the
     * call has already waited is subtracted.
     */
    Deadline patienceWithOthers(Duration patience, CallBudget budget) {
        Duration longest = patience.minus(budget.waited());
        boolean isLong = LoaderCalls.isInLoader() && longest.compareTo(LONGEST_NESTED_WAIT) > 0;
        return Deadline.after(timing.ticker(), isLong ? LONGEST_NESTED_WAIT : longest);
    }

    void pause() {
        waiter.pause(SHORTEST_POLL.plusMillis(timing.random().nextInt(MOST_POLL_JITTER_MILLIS)));
    }
}

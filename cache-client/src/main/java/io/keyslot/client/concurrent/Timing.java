// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Where time, timers and chance come from. Who creates it owns the scheduler, and shuts it down after the router.
 *
 * @param ticker the clock
 * @param scheduler runs what is due; its tasks are short, do not block, and are often cancelled: a
 *     {@link java.util.concurrent.ScheduledThreadPoolExecutor} should remove cancelled ones
 * @param random spreads what would otherwise happen at once; used by several threads, as {@link java.util.Random} may be
 */
public record Timing(Ticker ticker, ScheduledExecutorService scheduler, RandomGenerator random) {
    /** Returns a length of time from 0 to the limit, each equally likely: full jitter. */
    public long upTo(Duration limit) {
        return random.nextLong(limit.toNanos() + 1);
    }

    /** Runs the task later; empty if the scheduler was shut down, and then the task never runs. */
    public Optional<Future<?>> schedule(Runnable task, long delayNanos) {
        try {
            return Optional.of(scheduler.schedule(task, delayNanos, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException shutDown) {
            return Optional.empty();
        }
    }
}

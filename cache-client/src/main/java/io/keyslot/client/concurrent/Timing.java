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
 * The source of time, timers and randomness. The creator shuts the scheduler down after the router. Its tasks are
 * short, do not block, and are often cancelled: a {@link java.util.concurrent.ScheduledThreadPoolExecutor} should
 * remove cancelled ones. {@code random} is used by several threads.
 */
public record Timing(Ticker ticker, ScheduledExecutorService scheduler, RandomGenerator random) {
    /** Returns a random duration from 0 to the limit, uniformly distributed (full jitter). */
    public long upTo(Duration limit) {
        return random.nextLong(limit.toNanos() + 1);
    }

    /** Returns a duration that is doubled this many times, but not longer than another one. */
    public static Duration doubled(Duration first, int times, Duration longest) {
        Duration doubled = first.multipliedBy(1L << Math.min(times, 20));
        return doubled.compareTo(longest) < 0 ? doubled : longest;
    }

    /** Schedules a task; empty if the scheduler was shut down, in which case the task never runs. */
    public Optional<Future<?>> schedule(Runnable task, long delayNanos) {
        try {
            return Optional.of(scheduler.schedule(task, delayNanos, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException shutDown) {
            return Optional.empty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler that runs what is due on the test's thread when {@link #advance} moves its clock, in the order of the due
 * times, then of submission. A task that is executed without a delay runs at once.
 */
public final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final ManualTicker ticker;
    private final List<Task<?>> tasks = new ArrayList<>();
    private boolean shutDown;

    public ManualScheduler(ManualTicker ticker) {
        this.ticker = ticker;
    }

    /** Moves the clock, stopping at every task that becomes due to run it. */
    public void advance(Duration duration) {
        long end = ticker.nanos() + duration.toNanos();
        for (Task<?> next = firstDueBefore(end); next != null; next = firstDueBefore(end)) {
            tasks.remove(next);
            ticker.advance(Duration.ofNanos(Math.max(0, next.due - ticker.nanos())));
            next.run();
        }
        ticker.advance(Duration.ofNanos(end - ticker.nanos()));
    }

    /** Returns how many tasks wait for their time. */
    public int waiting() {
        return tasks.size();
    }

    /** Returns the time until the next task is due. */
    public Duration untilNext() {
        return tasks.stream()
                .map(task -> Duration.ofNanos(task.due - ticker.nanos()))
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private @org.jspecify.annotations.Nullable Task<?> firstDueBefore(long end) {
        return tasks.stream()
                .filter(task -> task.due - end <= 0)
                .min(Comparator.comparingLong(task -> task.due - ticker.nanos()))
                .orElse(null);
    }

    private <V> Task<V> add(Task<V> task) {
        if (shutDown) {
            throw new RejectedExecutionException("shut down");
        }
        tasks.add(task);
        return task;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    command.run();
                    return true;
                },
                delay,
                unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return add(new Task<>(callable, ticker.nanos() + unit.toNanos(delay)));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(command, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return add(new Repeating(command, ticker.nanos() + unit.toNanos(initialDelay), unit.toNanos(delay)));
    }

    @Override
    public void execute(Runnable command) {
        if (shutDown) {
            throw new RejectedExecutionException("shut down");
        }
        command.run();
    }

    @Override
    public void shutdown() {
        shutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutDown = true;
        List<Runnable> dropped = List.copyOf(tasks);
        tasks.clear();
        return dropped;
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }

    private class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
        long due;

        Task(Callable<V> callable, long due) {
            super(callable);
            this.due = due;
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                tasks.remove(this);
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - ticker.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final class Repeating extends Task<Boolean> {
        private final long delay;

        Repeating(Runnable command, long due, long delay) {
            super(
                    () -> {
                        command.run();
                        return true;
                    },
                    due);
            this.delay = delay;
        }

        @Override
        public void run() {
            if (runAndReset() && !shutDown) {
                due = ticker.nanos() + delay;
                tasks.add(this);
            }
        }
    }
}

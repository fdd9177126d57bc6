// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The scheduler of one client, whose tasks are events of the virtual time that all clients share. */
final class VirtualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final VirtualTime time;
    private final Set<Task<?>> tasks = ConcurrentHashMap.newKeySet();
    private volatile boolean shutDown;

    VirtualScheduler(VirtualTime time) {
        this.time = time;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(Executors.callable(command), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return begun(new Task<>(callable, 0), unit.toNanos(delay));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(command, initialDelay, period, unit); // tasks take no virtual time
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return begun(new Task<>(Executors.callable(command), unit.toNanos(delay)), unit.toNanos(initialDelay));
    }

    private <V> Task<V> begun(Task<V> task, long delayNanos) {
        if (shutDown) {
            throw new RejectedExecutionException("The scheduler was shut down");
        }
        tasks.add(task);
        task.after(delayNanos);
        return task;
    }

    @Override
    public void execute(Runnable command) {
        ScheduledFuture<?> unused = schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public void shutdown() {
        shutDown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutDown = true;
        List<Runnable> dropped = new ArrayList<>(tasks);
        tasks.forEach(Task::drop);
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
        time.waitUntil(this::isTerminated, unit.toNanos(timeout));
        return isTerminated();
    }

    /** A task that runs once, or repeatedly with a pause. */
    private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final long pauseNanos;
        private volatile Event next = new Event(0, 0, () -> {});

        Task(Callable<V> callable, long pauseNanos) {
            super(callable);
            this.pauseNanos = pauseNanos;
        }

        void after(long delayNanos) {
            next = time.after(delayNanos, this);
        }

        void drop() {
            tasks.remove(this);
            time.cancel(next);
        }

        @Override
        public void run() {
            if (pauseNanos == 0) {
                super.run();
            } else if (runAndReset() && tasks.contains(this)) {
                after(pauseNanos);
            }
        }

        @Override
        protected void done() {
            drop();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(next.due() - time.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order of submission, on the threads of another executor. At most {@value #CAPACITY}
 * tasks wait; further ones are dropped with a warning, because they are events of asynchronous listeners, which must
 * not delay changes of the cache. Thread-safe.
 */
public final class SerialExecutor implements Executor {
    static final int CAPACITY = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final String name;
    private final Executor threads;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean dropping;
    private volatile Runnable onDrop = () -> {};

    public SerialExecutor(String name, Executor threads) {
        this.name = name;
        this.threads = threads;
    }

    public void onDrop(Runnable action) {
        onDrop = action;
    }

    public int room() {
        synchronized (waiting) {
            return CAPACITY - waiting.size();
        }
    }

    @Override
    public void execute(Runnable task) {
        if (!offer(task)) {
            synchronized (waiting) {
                warnOnce();
            }
            onDrop.run();
        }
    }

    /** Submits a task unless the queue is full; returns whether it was accepted. */
    public boolean offer(Runnable task) {
        boolean begins;
        synchronized (waiting) {
            if (waiting.size() == CAPACITY) {
                return false;
            }
            waiting.add(task);
            begins = !running;
            running = true;
        }
        if (begins) {
            start();
        }
        return true;
    }

    private void start() {
        try {
            threads.execute(this::runAll);
        } catch (RejectedExecutionException e) {
            synchronized (waiting) {
                running = false;
                waiting.clear();
                warnOnce();
            }
            onDrop.run();
        }
    }

    private void runAll() {
        boolean ended = false;
        try {
            for (Runnable task = next(); task != null; task = next()) {
                run(task);
            }
            ended = true;
        } finally {
            if (!ended) {
                start(); // an Error ends this thread; the waiting tasks need another one
            }
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("{}: a task failed", name, e);
        }
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            Runnable task = waiting.poll();
            running = task != null;
            dropping = dropping && task != null;
            return task;
        }
    }

    private void warnOnce() {
        if (!dropping) {
            dropping = true;
            LOG.warn("{}: the listeners are slower than the changes, events are dropped while {} wait", name, CAPACITY);
        }
    }
}

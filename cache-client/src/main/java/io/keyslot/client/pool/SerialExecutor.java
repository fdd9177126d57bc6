// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in the order in which they came, on the threads of another executor.
 *
 * <p>At most {@value #CAPACITY} tasks wait. What comes on top of them is dropped, and a warning says so: the tasks are the
 * events of asynchronous listeners, which must not hold up those who change the cache. Safe for use by several threads.
 */
public final class SerialExecutor implements Executor {
    static final int CAPACITY = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final String name;
    private final Executor threads;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean dropping;

    public SerialExecutor(String name, Executor threads) {
        this.name = name;
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        if (begins(task)) {
            start();
        }
    }

    /** Adds a task if there is room; returns whether it needs a thread to be started. */
    private boolean begins(Runnable task) {
        synchronized (waiting) {
            if (waiting.size() == CAPACITY) {
                warnOnce();
                return false;
            }
            waiting.add(task);
            boolean begins = !running;
            running = true;
            return begins;
        }
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
                start(); // an Error ends this thread, and what waits needs another
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

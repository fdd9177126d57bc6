// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order of submission, on the threads of another executor. At most {@value #CAPACITY} tasks
 * wait; further ones are refused. Thread-safe.
 */
final class SerialExecutor implements Executor {
    static final int CAPACITY = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final String name;
    private final Executor threads;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(String name, Executor threads) {
        this.name = name;
        this.threads = threads;
    }

    /**
     * Submits a task. Throws {@code RejectedExecutionException} if too many wait, or if the other executor refuses to begin;
     * tasks that were accepted meanwhile run with the next one.
     */
    @Override
    public void execute(Runnable task) {
        boolean begins;
        synchronized (waiting) {
            if (waiting.size() == CAPACITY) {
                throw new RejectedExecutionException("%s: %d tasks wait".formatted(name, CAPACITY));
            }
            waiting.add(task);
            begins = !running;
            running = true;
        }
        if (begins) {
            try {
                threads.execute(this::runAll);
            } catch (RejectedExecutionException e) {
                synchronized (waiting) {
                    running = false;
                    waiting.remove(task);
                }
                throw e;
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
                continueLater();
            }
        }
    }

    /** An Error ends this thread; the waiting tasks need another one. */
    private void continueLater() {
        try {
            threads.execute(this::runAll);
        } catch (RejectedExecutionException e) {
            synchronized (waiting) {
                running = false;
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
            return task;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a client on which code of the application runs that asked for it: asynchronous forms and what continues
 * them, {@code loadAll}, asynchronous listeners.
 *
 * <ul>
 *   <li>A thread of the pool never waits for the pool: what it asks for, it does itself, at once. Otherwise as many
 *       continuations as there are threads, each of which waits for another call, would stand still for ever.
 *   <li>What waits for a thread longer than {@link #longestWait} is not begun any more, and is told so.
 *   <li>Each of the two is one step with its opposite: what was told that it is not begun is never begun.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class WorkPool implements Executor {
    /**
     * A thread whose stack is deeper than this leaves the work to another one after all: continuations that each begin the
     * next call would otherwise be within each other without end.
     */
    static final int DEEPEST_STACK = 512;

    private final ExecutorService threads;
    private final ExecutorService tellers;
    private final Timing timing;
    private final Duration longestWait;
    private final Set<Thread> working = ConcurrentHashMap.newKeySet();

    /**
     * @param threads run the work
     * @param tellers tell of work that was not begun: code of the application again, which must not hold up the timers
     */
    public WorkPool(ExecutorService threads, ExecutorService tellers, Timing timing, Duration longestWait) {
        this.threads = threads;
        this.tellers = tellers;
        this.timing = timing;
        this.longestWait = longestWait;
    }

    /** Returns how long work waits for a thread at most. */
    Duration longestWait() {
        return longestWait;
    }

    /**
     * Runs the task on a thread of the pool, whenever one is free.
     *
     * @throws RejectedExecutionException if too many wait
     */
    @Override
    public void execute(Runnable task) {
        threads.execute(() -> work(task));
    }

    /**
     * Runs the task on a thread of the pool: on the caller's if it is one, otherwise as soon as another one is free. The
     * task of a re-entrant call is run by the caller: on another thread it could wait for the call that it is part of.
     *
     * @param late is run instead, on another thread, if that takes too long
     * @throws RejectedExecutionException if too many wait
     */
    public void execute(Runnable task, Runnable late) {
        if (CallScope.isWithinAny() || (working.contains(Thread.currentThread()) && !isDeep())) {
            task.run();
            return;
        }
        Waiting waiting = new Waiting(task, late);
        waiting.timer = timing.schedule(waiting::expire, longestWait.toNanos()).orElse(null);
        try {
            threads.execute(waiting::begin);
        } catch (RejectedExecutionException e) {
            waiting.claim();
            throw e;
        }
    }

    private static boolean isDeep() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(DEEPEST_STACK).findFirst().isPresent());
    }

    private void work(Runnable task) {
        Thread thread = Thread.currentThread();
        // A scheduler or a pool of a test may run a task within another one, on the same thread.
        boolean outermost = working.add(thread);
        try {
            task.run();
        } finally {
            if (outermost) {
                working.remove(thread);
            }
        }
    }

    public void shutdown() {
        threads.shutdown();
        tellers.shutdown();
    }

    /** Work that waits for a thread: it is begun or it is late, once. */
    private final class Waiting {
        private final Runnable task;
        private final Runnable late;
        private final AtomicBoolean decided = new AtomicBoolean();
        private volatile @Nullable Future<?> timer;

        Waiting(Runnable task, Runnable late) {
            this.task = task;
            this.late = late;
        }

        /** Returns whether the caller decides what becomes of it. */
        boolean claim() {
            Future<?> pending = timer;
            if (pending != null) {
                pending.cancel(false);
            }
            return decided.compareAndSet(false, true);
        }

        void begin() {
            if (claim()) {
                work(task);
            }
        }

        void expire() {
            if (!claim()) {
                return;
            }
            try {
                tellers.execute(() -> work(late));
            } catch (RejectedExecutionException e) {
                late.run(); // better on this thread than never
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a client for application code: asynchronous calls and their continuations, {@code loadAll},
 * asynchronous listeners. Thread-safe.
 *
 * <ul>
 *   <li>A thread of the pool never waits for the pool, but runs its submissions itself. Otherwise, if all threads ran
 *       continuations that wait for another call, they would deadlock.
 *   <li>Work that waits longer than {@link #longestWait} is not started any more, and its caller gets a failure.
 *   <li>Start and timeout are decided atomically: work reported as not started never starts.
 * </ul>
 */
public final class WorkPool implements Executor {
    /**
     * A thread with a deeper stack passes work to another one, because continuations that each start the next call
     * would nest without end.
     */
    static final int DEEPEST_STACK = 512;

    /**
     * The most entries whose replies are awaited without a thread: they must not fill a connection, which takes 4,096
     * commands.
     */
    public static final int MOST_AHEAD = 1_000;

    private final ExecutorService threads;
    private final ExecutorService tellers;
    private final Timing timing;
    private final Duration longestWait;
    private final Set<Thread> working = ConcurrentHashMap.newKeySet();
    private final Semaphore ahead;

    /**
     * Creates a pool. The tellers report work that was not started, which runs application code and must not delay
     * timers. The replies of {@code mostAhead} entries are awaited without a thread.
     */
    public WorkPool(
            ExecutorService threads, ExecutorService tellers, Timing timing, Duration longestWait, int mostAhead) {
        this.threads = threads;
        this.tellers = tellers;
        this.timing = timing;
        this.longestWait = longestWait;
        this.ahead = new Semaphore(mostAhead);
    }

    Duration longestWait() {
        return longestWait;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> work(task));
    }

    /**
     * Runs the task on a thread of the pool: on the calling one if it belongs to the pool, else when one is free. A
     * re-entrant call runs its task itself, because on another thread it could wait for the call that it is part of. If
     * the wait takes too long, {@code late} runs instead, on another thread. Throws {@link RejectedExecutionException}
     * if the queue is full.
     */
    public void execute(Runnable task, Runnable late) {
        if (CallScope.isWithinAny() || (working.contains(Thread.currentThread()) && !isDeep())) {
            task.run();
            return;
        }
        queue(task, () -> tell(late, late)); // better on this thread than never
    }

    /** As {@link #execute(Runnable, Runnable)}, but when another call has ended, and never on the calling thread. */
    void executeAfter(CompletableFuture<?> other, Runnable task, Runnable late) {
        Waiting waiting = waiting(task, () -> tell(late, late));
        CompletableFuture<?> unused = other.whenComplete((result, failure) -> {
            try {
                threads.execute(waiting::begin);
            } catch (RejectedExecutionException e) {
                waiting.expire();
            }
        });
    }

    private Waiting waiting(Runnable task, Runnable late) {
        Waiting waiting = new Waiting(task, late);
        waiting.timer = timing.schedule(waiting::expire, longestWait.toNanos()).orElse(null);
        return waiting;
    }

    private void queue(Runnable task, Runnable late) {
        Waiting waiting = waiting(task, late);
        try {
            threads.execute(waiting::begin);
        } catch (RejectedExecutionException e) {
            waiting.claim();
            throw e;
        }
    }

    /**
     * Returns whether the calling thread may send a command about this many entries, whose reply no thread awaits; then
     * {@link #endAhead} must follow. A thread of the pool may not, because others could wait for the rest of its call,
     * nor may any while too many replies are awaited.
     */
    boolean beginAhead(int entries) {
        return !CallScope.isWithinAny() && !working.contains(Thread.currentThread()) && goOnAhead(entries);
    }

    /** As {@link #beginAhead}, for the next command of a call that began so. */
    boolean goOnAhead(int entries) {
        return ahead.tryAcquire(entries);
    }

    /** Gives back what {@link #beginAhead} or {@link #goOnAhead} took. */
    void endAhead(int entries) {
        ahead.release(entries);
    }

    /**
     * Runs a task on a thread of the pool, never on the calling one. If none is free in time, a teller runs it; if those
     * have too much to do as well, {@code lost} runs instead, on the calling thread or that of a timer.
     */
    void executeElsewhere(Runnable task, Runnable lost) {
        try {
            queue(task, () -> tell(task, lost));
        } catch (RejectedExecutionException e) {
            tell(task, lost);
        }
    }

    private static boolean isDeep() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(DEEPEST_STACK).findFirst().isPresent());
    }

    private void tell(Runnable task, Runnable lost) {
        try {
            tellers.execute(() -> work(task));
        } catch (RejectedExecutionException e) {
            lost.run();
        }
    }

    private void work(Runnable task) {
        Thread thread = Thread.currentThread();
        // A scheduler or a test's pool may nest tasks on one thread.
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

    /** Queued work, which either starts or expires, once. */
    private final class Waiting {
        private final Runnable task;
        private final Runnable late;
        private final AtomicBoolean decided = new AtomicBoolean();
        private volatile @Nullable Future<?> timer;

        Waiting(Runnable task, Runnable late) {
            this.task = task;
            this.late = late;
        }

        /** Returns whether the caller decides between start and expiry. */
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
            if (claim()) {
                late.run();
            }
        }
    }
}

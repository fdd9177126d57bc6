// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.CallScope;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks in parallel: on the caller's thread, and on free threads of the manager's pool. Thread-safe.
 *
 * <ul>
 *   <li>The caller takes tasks like the pool's threads, and waits only for tasks that are running. So a full pool costs
 *       only speed, and a thread of the pool may be a caller.
 *   <li>A re-entrant call runs all tasks itself: a task on another thread could wait for the call that it is part of.
 *   <li>If a task throws, no other one is started, and the caller gets the exception when the running ones have ended.
 *   <li>If the caller is interrupted, no other task is started, and the helping threads are interrupted too.
 * </ul>
 */
final class Parallel {
    /** The maximum number of requests for help in the queue of the pool, which also has other work. */
    static final int MOST_REQUESTS = 32;

    /** The interval in which tasks without a deadline are waited for, repeatedly. */
    private static final Duration TURN = Duration.ofMinutes(1);

    /** How long an interrupted caller waits for its helpers, which can only be waiting for application code. */
    private static final Duration MAX_CLOSE_WAIT = Duration.ofMillis(100);

    private final Executor pool;
    private final Waiter waiter;
    private final AtomicInteger requests = new AtomicInteger();

    Parallel(Executor pool, Waiter waiter) {
        this.pool = pool;
        this.waiter = waiter;
    }

    /** Runs the tasks; returns whether all have ended, which is false only after an interrupt. */
    boolean run(List<? extends Runnable> tasks) {
        Tasks begun = begin(tasks);
        while (!waiter.awaitClose(begun.ended, TURN, () -> false)) {
            if (Thread.currentThread().isInterrupted()) {
                giveUp(begun);
                return false;
            }
        }
        begun.throwFailure();
        return true;
    }

    /** Stops the tasks, and waits briefly for those that react to the interrupt. */
    private void giveUp(Tasks begun) {
        begun.giveUp();
        boolean interrupted = Thread.interrupted();
        try {
            boolean unused = waiter.awaitClose(begun.ended, MAX_CLOSE_WAIT, () -> false);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs the tasks; returns whether all have ended by the deadline. Tasks check the deadline themselves; later ones
     * are not waited for.
     */
    boolean run(List<? extends Runnable> tasks, Deadline deadline) {
        Tasks begun = begin(tasks);
        boolean ended = waiter.await(begun.ended, deadline, () -> false);
        if (!ended && Thread.currentThread().isInterrupted()) {
            giveUp(begun);
        }
        begun.throwFailure();
        return ended;
    }

    private Tasks begin(List<? extends Runnable> all) {
        Tasks tasks = new Tasks(all);
        Runnable own = tasks.next();
        int wanted = CallScope.isWithinAny() ? 0 : all.size() - 1;
        while (wanted > 0 && askForHelp(tasks)) {
            wanted--;
        }
        tasks.work(own);
        return tasks;
    }

    private boolean askForHelp(Tasks tasks) {
        if (requests.incrementAndGet() <= MOST_REQUESTS && isTaken(tasks)) {
            return true;
        }
        requests.decrementAndGet();
        return false;
    }

    private boolean isTaken(Tasks tasks) {
        try {
            pool.execute(() -> {
                requests.decrementAndGet();
                tasks.help();
            });
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }

    private static final class Tasks {
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        private final Deque<Runnable> waiting; // guards itself and the fields below
        private final Set<Thread> helpers = new HashSet<>();
        private int running;
        private boolean givenUp;
        private @Nullable Throwable failure;

        Tasks(List<? extends Runnable> tasks) {
            waiting = new ArrayDeque<>(tasks);
            if (tasks.isEmpty()) {
                ended.complete(true);
            }
        }

        @Nullable
        Runnable next() {
            synchronized (waiting) {
                Runnable task = waiting.poll();
                running += task == null ? 0 : 1;
                return task;
            }
        }

        /** Runs tasks on a thread of the pool, until all have been started or the caller stops. */
        void help() {
            Thread helper = Thread.currentThread();
            synchronized (waiting) {
                helpers.add(helper);
            }
            try {
                work(next());
            } finally {
                leave(helper);
            }
        }

        private void leave(Thread helper) {
            synchronized (waiting) {
                helpers.remove(helper);
                if (givenUp) {
                    boolean unused = Thread.interrupted(); // the interrupt was meant for these tasks
                }
            }
        }

        void giveUp() {
            synchronized (waiting) {
                givenUp = true;
                waiting.clear();
                helpers.forEach(Thread::interrupt);
                if (running == 0) {
                    ended.complete(true);
                }
            }
        }

        void work(@Nullable Runnable first) {
            for (Runnable task = first; task != null; task = next()) {
                end(failureOf(task));
            }
        }

        @SuppressWarnings("IllegalCatch") // exceptions of a task belong to the caller
        private static @Nullable Throwable failureOf(Runnable task) {
            try {
                task.run();
                return null;
            } catch (RuntimeException | Error e) {
                return e;
            }
        }

        private void end(@Nullable Throwable its) {
            boolean last;
            synchronized (waiting) {
                running--;
                if (its != null) {
                    waiting.clear();
                    failure = Closing.joined(failure, its);
                }
                last = running == 0 && waiting.isEmpty();
            }
            if (last) {
                ended.complete(true);
            }
        }

        void throwFailure() {
            Throwable first;
            synchronized (waiting) {
                first = failure;
            }
            if (first instanceof RuntimeException failed) {
                throw failed;
            }
            if (first instanceof Error failed) {
                throw failed;
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.concurrent.Ticker;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A clock that advances only while a thread waits. The waiting thread moves it to the next event, runs the event
 * itself, and repeats that until its condition is true or its deadline is reached.
 * <ul>
 *   <li>With one test thread and any number of {@link Worker workers}, everything happens in the same order every
 *       time: workers run one at a time, and the test thread continues when all of them wait or have ended.
 *   <li>With several test threads, time advances only after a moment in which none of them used this clock, and not
 *       while one that has read the clock is still running: its deadlines would be over before it has done anything.
 *       The order of events in that moment is not repeatable.
 *   <li>A worker that neither ends nor waits here for a second waits outside of this clock, and the others continue
 *       without it. A worker that waits for a second while no thread moves the clock moves it itself: then the test
 *       thread waits for the worker outside of this clock.
 *   <li>An interrupted thread does not wait for others.
 *   <li>While workers are {@linkplain #interleave interleaved}, a random choice selects the next one at each wait
 *       and each {@linkplain #yieldTurn() yield}. Only one runs at a time, interrupted or not, and only the test thread
 *       moves the clock: the same random numbers give the same run.
 * </ul>
 *
 * <p>Safe for use by several threads. The lock is not held while an event runs.
 */
final class VirtualTime implements Ticker {
    /** The real time without an action here after which a thread counts as waiting elsewhere. */
    private static final long ELSEWHERE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The real time that other test threads get before the clock is moved, so that a busy machine causes no timeouts.
     */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The real time without an action of an interleaved worker after which the run fails. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final Set<Thread.State> AT_WORK = EnumSet.of(Thread.State.RUNNABLE, Thread.State.BLOCKED);

    /**
     * Events with these numbers come last at their time: ends of workers' waits, then those of test threads. So events
     * that are due at a deadline run before it passes.
     */
    private static final long ENDS_OF_WORKERS = 1L << 61;

    private static final long ENDS_OF_THE_TEST = 1L << 62;

    /** January 1, 2026; any instant would do. */
    private static final long START_EPOCH_MILLIS = 1_767_225_600_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final Set<Thread> threadsOfTheTest = new HashSet<>();
    private final Set<Thread> onlookers =
            new HashSet<>(); // threads that have read the clock and may be running because of it
    private final WorkerTurns turns = new WorkerTurns();
    private long nanos;
    private long lastNumber;
    private long changes;
    private int waitingForLocks;
    private @Nullable Thread mover;

    private void locked(Runnable action) {
        locked(() -> {
            action.run();
            return true;
        });
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanos() {
        return locked(() -> {
            if (workerOfThisThread() == null) {
                onlookers.add(Thread.currentThread());
            }
            return nanos;
        });
    }

    @Override
    public long epochMillis() {
        return START_EPOCH_MILLIS + TimeUnit.NANOSECONDS.toMillis(nanos());
    }

    /** Runs the task after a delay, on the thread that moves the clock there. */
    Event after(long delayNanos, Runnable task) {
        return locked(() -> {
            Event event = new Event(nanos + Math.max(delayNanos, 0), ++lastNumber, task);
            events.add(event);
            return event;
        });
    }

    void cancel(Event event) {
        locked(() -> events.remove(event));
    }

    /** Called when the condition of a waiting thread may have become true. */
    void changed() {
        locked(() -> proceed());
    }

    /** Waits until the condition is true or the time has passed. Events that are due by then have run before. */
    void waitUntil(BooleanSupplier over, long atMostNanos) {
        locked(() -> {
            Waiting own = new Waiting(over, workerOfThisThread());
            long order = (own.worker == null ? ENDS_OF_THE_TEST : ENDS_OF_WORKERS) + ++lastNumber;
            Event end = new Event(nanos + Math.max(atMostNanos, 0), order, own::end);
            events.add(end);
            waiting.add(own);
            try {
                if (own.worker == null) {
                    move(own);
                } else {
                    standBy(own, own.worker);
                }
            } finally {
                waiting.remove(own);
                events.remove(end);
            }
        });
    }

    /**
     * Runs workers, and those that they start, in random order until all have ended or the time has passed; returns
     * whether they have ended. Throws IllegalStateException if one waits outside of this clock.
     */
    boolean interleave(List<Worker> workers, RandomGenerator chance, long atMostNanos) {
        begin(workers, chance);
        try {
            waitUntil(() -> haveEnded(workers), atMostNanos);
            return haveEnded(workers);
        } finally {
            leaveToOrder();
        }
    }

    private void begin(List<Worker> workers, RandomGenerator chance) {
        locked(() -> {
            turns.leaveToChance(chance);
            workers.forEach(Worker::start);
            turns.askAll(workers);
        });
    }

    private static boolean haveEnded(List<Worker> workers) {
        return workers.stream().allMatch(Worker::hasEnded);
    }

    private void leaveToOrder() {
        locked(() -> turns.leaveToOrder());
    }

    /** Lets another worker run, if this thread is an interleaved worker and the random choice selects another. */
    void yieldTurn() {
        Worker worker = workerOfThisThread();
        if (worker == null) {
            return;
        }
        lock.lock();
        try {
            if (turns.areLeftToChance()) {
                proceed();
                if (turns.offer(worker)) {
                    standAside(worker);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isInterleaved() {
        if (workerOfThisThread() == null) {
            return false;
        }
        lock.lock();
        try {
            return turns.areLeftToChance();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is the worker's turn, ignoring interrupts. */
    private void standAside(Worker worker) {
        worker.stepAside();
        while (!turns.has(worker)) {
            worker.awake().awaitUninterruptibly();
        }
        worker.goOn();
    }

    /** Interrupts a worker: at once, or when it continues. */
    void interrupt(Worker worker) {
        locked(() -> {
            if (worker.isAside()) {
                worker.interruptLater();
                proceed();
            } else {
                worker.interruptNow();
            }
        });
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    private @Nullable Worker workerOfThisThread() {
        return Thread.currentThread() instanceof Worker worker && worker.livesBy(this) ? worker : null;
    }

    /** Moves the clock until the wait is over. There always is a next event, because the end of the wait is one. */
    private void move(Waiting own) {
        threadsOfTheTest.add(Thread.currentThread());
        settle();
        while (!own.isOver()) {
            if (mayMove() && ((isAlone() && !isSomebodyAtWork()) || !isAboutToPass())) {
                happenNext();
            } else if (!moveAfterAMoment()) {
                return;
            }
            settle();
        }
    }

    /** Lets other threads run first, and moves the clock if they do nothing. Returns false if it cannot wait. */
    private boolean moveAfterAMoment() {
        long before = changes;
        boolean waited = pause(MOMENT_NANOS);
        for (long spent = MOMENT_NANOS; waited && changes == before && isSomebodyAtWork(); spent += MOMENT_NANOS) {
            if (spent > ELSEWHERE_NANOS) {
                onlookers.clear();
            }
            waited = pause(MOMENT_NANOS);
        }
        if (mayMove() && changes == before) {
            happenNext();
            return true;
        }
        return waited;
    }

    /** Returns whether another thread that has read the clock is running or ready to run. */
    private boolean isSomebodyAtWork() {
        onlookers.remove(Thread.currentThread());
        onlookers.removeIf(thread -> !thread.isAlive());
        return lock.hasQueuedThreads()
                || onlookers.stream().map(Thread::getState).anyMatch(AT_WORK::contains);
    }

    /** Another thread may be running an event; that may have changed whenever the lock was released. */
    private boolean mayMove() {
        return mover == null || mover.equals(Thread.currentThread());
    }

    private boolean isAboutToPass() {
        Event next = events.peek();
        return next != null && next.due() > nanos;
    }

    private boolean isAlone() {
        if (threadsOfTheTest.size() > 1) {
            threadsOfTheTest.removeIf(thread -> !thread.isAlive());
        }
        return threadsOfTheTest.size() == 1;
    }

    private void happenNext() {
        Event next = events.poll();
        if (next == null) {
            return;
        }
        nanos = Math.max(nanos, next.due());
        Thread before = mover;
        mover = Thread.currentThread();
        lock.unlock();
        try {
            next.happen();
        } finally {
            lock.lock();
            mover = before;
            proceed();
        }
    }

    private void proceed() {
        changes++;
        waiting.forEach(each -> {
            if (each.worker != null && !each.goesOn && each.isOver()) {
                each.goesOn = true;
                turns.ask(each.worker);
            }
        });
        if (turns.noneRuns() || !turns.areLeftToChance()) {
            changed.signalAll();
        }
        if (!turns.areLeftToChance()) {
            waiting.forEach(each -> {
                if (each.worker != null) {
                    each.worker.awaken();
                }
            });
        }
    }

    private void settle() {
        while (!turns.noneRuns()) {
            long before = changes;
            if (!pause(turns.areLeftToChance() ? STUCK_NANOS : ELSEWHERE_NANOS)) {
                return;
            }
            if (changes == before) {
                requireNotInterleaved();
                turns.goOnWithoutRunning();
                proceed();
            }
        }
    }

    private void requireNotInterleaved() {
        Worker running = turns.running();
        if (running != null && turns.areLeftToChance()) {
            throw new IllegalStateException("%s waits for something that the clock does not know: %s"
                    .formatted(running.getName(), Arrays.toString(running.getStackTrace())));
        }
    }

    private void standBy(Waiting own, Worker worker) {
        if (own.isOver()) {
            return;
        }
        turns.leave(worker);
        proceed();
        if (turns.areLeftToChance()) {
            standAside(worker);
            return;
        }
        long patience = ELSEWHERE_NANOS;
        while (!turns.has(worker)) {
            long before = changes;
            if (!pause(worker.awake(), waitingForLocks > 0 ? MOMENT_NANOS : patience)) {
                turns.leave(worker);
                return;
            }
            if (changes == before && mayMove() && turns.noneRuns()) {
                happenNext();
                patience = MOMENT_NANOS;
            }
        }
    }

    /** Waits briefly in real time, or until a change; returns false if the thread is interrupted. */
    private boolean pause(long atMostNanos) {
        return pause(changed, atMostNanos);
    }

    @SuppressWarnings("WaitNotInLoop") // the callers check the condition
    private static boolean pause(Condition condition, long atMostNanos) {
        try {
            long unused = condition.awaitNanos(atMostNanos);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Starts a worker. Returns when it waits or has ended, unless a worker started it. */
    void start(Worker worker) {
        locked(() -> {
            turns.ask(worker);
            worker.start();
            if (workerOfThisThread() == null) {
                settle();
            }
        });
    }

    /** Called by a started worker: waits for its turn. */
    void begin(Worker worker) {
        locked(() -> awaitTurn(worker));
    }

    private void awaitTurn(Worker worker) {
        if (turns.areLeftToChance()) {
            standAside(worker);
            return;
        }
        boolean interrupted = false;
        while (!turns.has(worker) && !interrupted) {
            interrupted = !pause(worker.awake(), ELSEWHERE_NANOS);
        }
    }

    void end(Worker worker) {
        locked(() -> {
            worker.markEnded();
            turns.leave(worker);
            proceed();
        });
    }

    /** Waits for a lock in the given way, in real time: another thread holds it, and this one cannot help it. */
    boolean forLock(BooleanSupplier locking) {
        Worker worker = workerOfThisThread();
        stepAside(worker);
        try {
            return locking.getAsBoolean();
        } finally {
            comeBack(worker);
        }
    }

    private void stepAside(@Nullable Worker worker) {
        locked(() -> {
            waitingForLocks++;
            if (worker != null) {
                turns.leave(worker);
            }
            proceed();
        });
    }

    private void comeBack(@Nullable Worker worker) {
        locked(() -> {
            waitingForLocks--;
            if (worker != null) {
                turns.ask(worker);
                awaitTurn(worker);
            }
        });
    }

    private static final class Waiting {
        private final BooleanSupplier over;
        private final @Nullable Worker worker;
        private volatile boolean ended;
        private boolean goesOn; // guarded by the lock of the time

        Waiting(BooleanSupplier over, @Nullable Worker worker) {
            this.over = over;
            this.worker = worker;
        }

        void end() {
            ended = true;
        }

        boolean isOver() {
            return ended || over.getAsBoolean();
        }
    }
}

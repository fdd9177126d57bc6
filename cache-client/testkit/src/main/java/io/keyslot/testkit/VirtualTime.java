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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until somebody waits. Who waits moves it to the next thing that is to happen, lets that happen
 * on its own thread, and goes on so until what it waits for is there or its deadline is reached.
 *
 * <ul>
 *   <li>With one thread of the test, and any number of {@link Worker workers}, everything happens in the same order every
 *       time: workers run one at a time, and the thread of the test goes on when all of them wait or have ended.
 *   <li>With several threads of the test, time is moved only after a moment in which nobody did anything here, and not
 *       while one that has looked at the clock is still at work: its deadlines would be over before it has done anything.
 *       What happens in that moment is not repeatable.
 *   <li>A worker that neither ends nor waits here for a second waits for something that this clock does not know, and is
 *       not waited for any longer. A worker that waits for a second while nobody moves the clock moves it itself: then
 *       the thread of the test waits for it in a way that this clock does not know.
 *   <li>An interrupted thread does not wait for others.
 *   <li>While workers are {@linkplain #interleave interleaved}, chance decides which of those that could go on does, at
 *       each wait and wherever one of them {@linkplain #yieldTurn() yields}. Only one runs at a time, interrupted or not,
 *       and only the thread of the test moves the clock: the same chance gives the same run.
 * </ul>
 *
 * <p>Safe for use by several threads. The lock is not held while something happens.
 */
final class VirtualTime implements Ticker {
    /** By the clock of the machine: how long somebody may do nothing here before it counts as being elsewhere. */
    private static final long ELSEWHERE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * By the clock of the machine: how long other threads of the test get before time is moved. Longer than a thread waits for
     * a processor on a machine that does other things as well: what it is in the midst of would be late otherwise.
     */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** By the clock of the machine: how long an interleaved worker may do nothing here before the run is a failure. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final Set<Thread.State> AT_WORK = EnumSet.of(Thread.State.RUNNABLE, Thread.State.BLOCKED);

    /**
     * From here on, events are numbered that come after all others of their time: that a worker need not wait any longer,
     * and then that a thread of the test need not. So what is due at a deadline happens before it is over.
     */
    private static final long ENDS_OF_WORKERS = 1L << 61;

    private static final long ENDS_OF_THE_TEST = 1L << 62;

    /** The first of January 2026: any instant would do. */
    private static final long START_EPOCH_MILLIS = 1_767_225_600_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All guarded by lock.
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final Set<Thread> threadsOfTheTest = new HashSet<>();
    private final Set<Thread> onlookers =
            new HashSet<>(); // who has looked at the clock and may be at work because of it
    private final WorkerTurns turns = new WorkerTurns();
    private long nanos;
    private long lastNumber;
    private long changes;
    private int waitingForLocks;
    private @Nullable Thread mover;

    @Override
    public long nanos() {
        lock.lock();
        try {
            if (workerOfThisThread() == null) {
                onlookers.add(Thread.currentThread());
            }
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long epochMillis() {
        return START_EPOCH_MILLIS + TimeUnit.NANOSECONDS.toMillis(nanos());
    }

    /** Lets the task run at a later time, on the thread that moves the clock there. */
    Event after(long delayNanos, Runnable task) {
        lock.lock();
        try {
            Event event = new Event(nanos + Math.max(delayNanos, 0), ++lastNumber, task);
            events.add(event);
            return event;
        } finally {
            lock.unlock();
        }
    }

    void cancel(Event event) {
        lock.lock();
        try {
            events.remove(event);
        } finally {
            lock.unlock();
        }
    }

    /** Is called when something may be over that somebody waits for. */
    void changed() {
        lock.lock();
        try {
            proceed();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when it is over or so much time has passed. What is due by then has happened before. */
    void waitUntil(BooleanSupplier over, long atMostNanos) {
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs workers until all have ended or so much time has passed; chance decides which of them goes on, and of those that
     * they start.
     *
     * @return whether all have ended
     * @throws IllegalStateException if one waits for something that this clock does not know
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
        lock.lock();
        try {
            turns.leaveToChance(chance);
            workers.forEach(Worker::start);
            turns.askAll(workers);
        } finally {
            lock.unlock();
        }
    }

    private static boolean haveEnded(List<Worker> workers) {
        return workers.stream().allMatch(Worker::hasEnded);
    }

    private void leaveToOrder() {
        lock.lock();
        try {
            turns.leaveToOrder();
        } finally {
            lock.unlock();
        }
    }

    /** Lets another worker go on, if this thread is one, workers are interleaved, and chance wants it so. */
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

    /** Returns whether this thread is a worker that is interleaved with others. */
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

    /** Waits until it is the worker's turn, whatever is said to it meanwhile. */
    private void standAside(Worker worker) {
        worker.stepAside();
        while (!turns.has(worker)) {
            worker.awake().awaitUninterruptibly();
        }
        worker.goOn();
    }

    /** Interrupts a worker: at once, or when it goes on. */
    void interrupt(Worker worker) {
        lock.lock();
        try {
            if (worker.isAside()) {
                worker.interruptLater();
                proceed();
            } else {
                worker.interruptNow();
            }
        } finally {
            lock.unlock();
        }
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    private @Nullable Worker workerOfThisThread() {
        return Thread.currentThread() instanceof Worker worker && worker.livesBy(this) ? worker : null;
    }

    /** Moves the clock until it is over. That it ends is an event itself: there always is a next one. */
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

    /** Lets others do something first, and moves the clock if they do nothing. Returns false if it cannot wait for them. */
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

    /** Returns whether another thread than this one runs, or would if it got a processor, since it looked at the clock. */
    private boolean isSomebodyAtWork() {
        onlookers.remove(Thread.currentThread());
        onlookers.removeIf(thread -> !thread.isAlive());
        return lock.hasQueuedThreads()
                || onlookers.stream().map(Thread::getState).anyMatch(AT_WORK::contains);
    }

    /** Somebody else may be in the midst of an event; that may have changed whenever the lock was not held. */
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

    /** Lets workers go on whose waiting is over. */
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

    /** Returns when all workers wait or have ended. */
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

    /** Waits a little by the clock of the machine, or until something changes; false if the thread is interrupted. */
    private boolean pause(long atMostNanos) {
        return pause(changed, atMostNanos);
    }

    @SuppressWarnings("WaitNotInLoop") // the callers look again
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
        lock.lock();
        try {
            turns.ask(worker);
            worker.start();
            if (workerOfThisThread() == null) {
                settle();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Is called by a worker that was started: waits for its turn. */
    void begin(Worker worker) {
        lock.lock();
        try {
            awaitTurn(worker);
        } finally {
            lock.unlock();
        }
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

    /** Is called by a worker that is about to end. */
    void end(Worker worker) {
        lock.lock();
        try {
            worker.markEnded();
            turns.leave(worker);
            proceed();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a lock in the way given, by the clock of the machine: it is another thread that has it, and this one is of
     * no use to it.
     */
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
        lock.lock();
        try {
            waitingForLocks++;
            if (worker != null) {
                turns.leave(worker);
            }
            proceed();
        } finally {
            lock.unlock();
        }
    }

    private void comeBack(@Nullable Worker worker) {
        lock.lock();
        try {
            waitingForLocks--;
            if (worker != null) {
                turns.ask(worker);
                awaitTurn(worker);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A thread that waits; equal to itself only. */
    private static final class Waiting {
        private final BooleanSupplier over;
        private final @Nullable Worker worker;
        private volatile boolean ended;
        private boolean goesOn; // guarded by the lock of the time

        Waiting(BooleanSupplier over, @Nullable Worker worker) {
            this.over = over;
            this.worker = worker;
        }

        /** The time is over. */
        void end() {
            ended = true;
        }

        boolean isOver() {
            return ended || over.getAsBoolean();
        }
    }
}

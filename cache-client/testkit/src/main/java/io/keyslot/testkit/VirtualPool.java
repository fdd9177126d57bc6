// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pool of {@link Worker workers} with the bounds of a client's pool. {@code execute} returns when the task waits or
 * ends; a task continues whenever virtual time passes.
 */
final class VirtualPool extends AbstractExecutorService {
    private final VirtualTime time;
    private final String name;
    private final int threads;
    private final int queue;
    private final Object lock = new Object();

    // Guarded by lock.
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Set<Worker> workers = new HashSet<>();
    private int started;
    private boolean shutDown;

    VirtualPool(VirtualTime time, String name, int threads, int queue) {
        this.time = time;
        this.name = name;
        this.threads = threads;
        this.queue = queue;
    }

    @Override
    public void execute(Runnable task) {
        Worker worker = admit(task);
        if (worker != null) {
            time.start(worker);
        }
    }

    private @Nullable Worker admit(Runnable task) {
        synchronized (lock) {
            if (shutDown || (workers.size() == threads && tasks.size() == queue)) {
                throw new RejectedExecutionException(shutDown ? name + " was shut down" : name + " is full");
            }
            if (workers.size() == threads) {
                tasks.add(task);
                return null;
            }
            started++;
            Worker worker = new Worker("%s-%d".formatted(name, started), time, () -> work(task));
            workers.add(worker);
            return worker;
        }
    }

    private void work(Runnable first) {
        Runnable task = first;
        while (task != null) {
            run(task);
            task = next();
        }
    }

    /** A failure of a task must not end the worker or the threads that wait for it. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private @Nullable Runnable next() {
        synchronized (lock) {
            Runnable task = tasks.poll();
            if (task == null && Thread.currentThread() instanceof Worker worker) {
                workers.remove(worker);
            }
            return task;
        }
    }

    @Override
    public void shutdown() {
        synchronized (lock) {
            shutDown = true;
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        synchronized (lock) {
            shutDown = true;
            List<Runnable> dropped = new ArrayList<>(tasks);
            tasks.clear();
            workers.forEach(Thread::interrupt);
            return dropped;
        }
    }

    @Override
    public boolean isShutdown() {
        synchronized (lock) {
            return shutDown;
        }
    }

    @Override
    public boolean isTerminated() {
        synchronized (lock) {
            return shutDown && workers.isEmpty();
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        time.waitUntil(this::isTerminated, unit.toNanos(timeout));
        return isTerminated();
    }
}

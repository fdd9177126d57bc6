// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** The clock and the randomness of this machine, and threads that are named daemons. */
record MachineClockwork(Ticker ticker, Waiter waiter, RandomGenerator seeds) implements Clockwork {
    private static final long IDLE_SECONDS = 30;

    @Override
    public ScheduledExecutorService scheduler(String client) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, named(client, "timer"));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    @Override
    public ExecutorService pool(String client, String role, int threads, int queue) {
        BlockingQueue<Runnable> waiting = queue == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(queue);
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, waiting, named(client, role));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory named(String client, String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "keyslot-%s-%s-%d".formatted(client, role, number.incrementAndGet()));
            thread.setDaemon(true);
            return thread;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the threads of a client: named daemons that end with it. */
final class Threads {
    private static final long IDLE_SECONDS = 30;

    private Threads() {}

    static ScheduledThreadPoolExecutor scheduler(String name) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, named(name, "timer"));
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
    }

    static ExecutorService pool(String name, String role, int threads, int queue) {
        BlockingQueue<Runnable> waiting = queue == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(queue);
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, waiting, named(name, role));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory named(String name, String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "keyslot-%s-%s-%d".formatted(name, role, number.incrementAndGet()));
            thread.setDaemon(true);
            return thread;
        };
    }
}

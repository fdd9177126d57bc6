// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs a task on several threads and waits until all of them have ended. */
final class Workers {
    private Workers() {}

    /**
     * Runs the task once for each number from 0 on, each on a thread of its own.
     *
     * @throws IllegalStateException if one of them threw; its cause is the first exception, the others are suppressed
     */
    static void run(int threads, IntConsumer task) {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Thread[] started = IntStream.range(0, threads)
                .mapToObj(number -> start(number, task, failures))
                .toArray(Thread[]::new);
        for (Thread thread : started) {
            await(thread);
        }
        Throwable first = failures.poll();
        if (first != null) {
            IllegalStateException failure = new IllegalStateException("A thread of the demo failed: " + first, first);
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private static Thread start(int number, IntConsumer task, Queue<Throwable> failures) {
        Thread thread = new Thread(() -> task.accept(number), "keyslot-demo-" + number);
        thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the demo was running", e);
        }
    }
}

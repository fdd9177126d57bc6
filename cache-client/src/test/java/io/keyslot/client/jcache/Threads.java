// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/** Several threads that do the same at the same time. Nothing here waits longer than a minute. */
public final class Threads {
    private static final long SECONDS = 60;

    private Threads() {}

    /** Runs the task in {@code count} threads, which start together, and waits for them. Fails if one of them failed. */
    static void run(int count, IntConsumer task) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(count);
        ExecutorService executor = Executors.newFixedThreadPool(count);
        try {
            List<Callable<Object>> tasks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                tasks.add(() -> {
                    start.await(SECONDS, TimeUnit.SECONDS);
                    task.accept(number);
                    return number;
                });
            }
            for (Future<Object> done : executor.invokeAll(tasks, SECONDS, TimeUnit.SECONDS)) {
                done.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("A thread failed", e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    /** Runs the task in a thread of its own and fails if it does not end: a deadlock is a failure, not a hanging build. */
    public static <T> T withinTenSeconds(Callable<T> task) {
        ExecutorService executor = Executors.newSingleThreadExecutor(runnable -> {
            Thread thread = new Thread(runnable, "may-be-in-a-deadlock");
            thread.setDaemon(true);
            return thread;
        });
        try {
            return executor.submit(task).get(10, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Does not end within 10 s: a deadlock?", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("The task failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Waits for the latch. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SECONDS, TimeUnit.SECONDS))
                    .as("the latch was released")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** A call in a thread of its own. */
final class Background<T> {
    private static final long SECONDS = 30;

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "background");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> Background<T> run(Callable<T> call) {
        return new Background<>(call);
    }

    /** Returns this when the thread waits for something. */
    Background<T> waiting() {
        Awaitility.await()
                .until(() ->
                        thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
        return this;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return task.isDone();
    }

    /** Returns what the call returned, waiting for it; throws what it threw. */
    T value() {
        try {
            return task.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("The call failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("The call does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    /** Returns what the call threw. */
    RuntimeException failure() {
        try {
            T value = value();
            throw new AssertionError("The call did not fail but returned " + value);
        } catch (RuntimeException e) {
            return e;
        }
    }
}

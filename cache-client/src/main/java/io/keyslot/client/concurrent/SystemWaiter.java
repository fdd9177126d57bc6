// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits by the system clock; the only class that blocks a thread. */
public final class SystemWaiter implements Waiter {
    /**
     * An additional wait after the deadline. The router answers at the deadline with a better description of the
     * outcome, once its timer has run.
     */
    static final Duration GRACE = Duration.ofMillis(20);

    @Override
    public <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
        T known = Futures.valueOf(future);
        return known == null ? await(future, deadline.remainingNanos(), onTimeout) : known;
    }

    @Override
    public void awaitDone(CompletableFuture<?> future, Deadline deadline) {
        if (future.isDone()) {
            return;
        }
        try {
            future.get(Math.max(deadline.remainingNanos(), 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException over) {
            // The caller sees it in the future.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
        return await(future, atMost.toNanos(), onTimeout);
    }

    @Override
    public boolean awaitTurn(Lock lock, Deadline deadline) {
        if (lock.tryLock()) {
            return true;
        }
        try {
            return lock.tryLock(Math.max(deadline.remainingNanos(), 0), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    private static <T> T await(CompletableFuture<T> future, long nanos, Supplier<T> onTimeout) {
        T value = valueWithin(future, nanos);
        if (value == null) {
            // After a stall of this process, the answer may be available as soon as the reading thread has run.
            value = valueWithin(future, GRACE.toNanos());
        }
        return value == null ? onTimeout.get() : value;
    }

    /** Returns the value, null after the time or an interrupt. */
    private static <T> @Nullable T valueWithin(CompletableFuture<T> future, long nanos) {
        try {
            return future.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("A future that must not fail did", failed.getCause());
        }
    }
}

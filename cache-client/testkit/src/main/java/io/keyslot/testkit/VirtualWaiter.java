// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Waits by advancing virtual time. Waiting for a lock blocks, because another thread holds it, unless threads are
 * interleaved.
 */
final class VirtualWaiter implements Waiter {
    private final VirtualTime time;

    VirtualWaiter(VirtualTime time) {
        this.time = time;
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
        return await(future, deadline.remainingNanos(), onTimeout);
    }

    @Override
    public void awaitDone(CompletableFuture<?> future, Deadline deadline) {
        letTimePass(future, deadline.remainingNanos());
    }

    @Override
    public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
        return await(future, atMost.toNanos(), onTimeout);
    }

    @Override
    public void pause(Duration duration) {
        time.waitUntil(Thread.currentThread()::isInterrupted, duration.toNanos());
    }

    private <T> T await(CompletableFuture<T> future, long nanos, Supplier<T> onTimeout) {
        letTimePass(future, nanos);
        return future.isDone() ? valueOf(future) : onTimeout.get();
    }

    private void letTimePass(CompletableFuture<?> future, long nanos) {
        if (!future.isDone()) {
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> time.changed());
            Thread thread = Thread.currentThread();
            time.waitUntil(() -> future.isDone() || thread.isInterrupted(), nanos);
        }
    }

    private static <T> T valueOf(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("A future that must not fail did", failed.getCause());
        }
    }

    @Override
    public boolean awaitTurn(Lock lock, Deadline deadline) {
        time.yieldTurn();
        if (lock.tryLock()) {
            return true;
        }
        if (time.isInterleaved()) {
            return isLockedByVirtualTime(lock, deadline);
        }
        return time.forLock(() -> isLocked(lock, deadline.remainingNanos()));
    }

    /** Another worker holds the lock; it continues while this one waits. */
    private boolean isLockedByVirtualTime(Lock lock, Deadline deadline) {
        Thread thread = Thread.currentThread();
        while (!thread.isInterrupted()) {
            if (lock.tryLock()) {
                return true;
            }
            if (deadline.isOver()) {
                return false;
            }
            time.waitUntil(() -> thread.isInterrupted() || isFree(lock), deadline.remainingNanos());
        }
        return false;
    }

    /** Returns whether no thread holds the lock. The thread that asks may hold it, but no other thread runs. */
    private static boolean isFree(Lock lock) {
        if (lock instanceof ReentrantLock reentrant) {
            return !reentrant.isLocked();
        }
        boolean isFree = lock.tryLock(); // a write lock, which the holder of a read lock does not get
        if (isFree) {
            lock.unlock();
        }
        return isFree;
    }

    private static boolean isLocked(Lock lock, long nanos) {
        try {
            return lock.tryLock(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * Waits for futures and locks. Nobody else does; never to be called on a thread that does I/O. Safe for use by several
 * threads.
 *
 * <p>A thread that is interrupted stops waiting and stays marked as interrupted. What it waited for goes on.
 *
 * <p>A future that fails breaks its contract: an {@link Error} is thrown as it is, anything else as the cause of an
 * {@link IllegalStateException}.
 */
public interface Waiter {
    /**
     * Returns the future's value, waiting until shortly after the deadline.
     *
     * @param onTimeout gives the outcome if there was no value by then, or the thread was interrupted
     */
    <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout);

    /** Waits until the future is done, the deadline is over or the thread is interrupted, whichever comes first. */
    void awaitDone(CompletableFuture<?> future, Deadline deadline);

    /** Waits for something to end, this long at most, and returns its value or the other one. */
    <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout);

    /**
     * Waits for a lock until the deadline; returns whether it is held now. A thread that is interrupted does not hold it.
     */
    boolean awaitTurn(Lock lock, Deadline deadline);

    /** Waits this long, or until the thread is interrupted: then its interruption is to be looked at by the caller. */
    void pause(Duration duration);
}

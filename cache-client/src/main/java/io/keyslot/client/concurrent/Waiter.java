// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * Waits for futures and locks; no other code does. Never call it on an I/O thread. Thread-safe. An interrupted thread
 * stops waiting and stays interrupted; the operation continues. A failed future breaks its contract: an {@link Error}
 * is rethrown, anything else becomes the cause of an {@link IllegalStateException}.
 */
public interface Waiter {
    /**
     * Returns the future's value, waiting until shortly after the deadline. Without one, or after an interrupt, returns
     * that of {@code onTimeout}.
     */
    <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout);

    /** Waits until the future is done, the deadline has passed or the thread is interrupted. */
    void awaitDone(CompletableFuture<?> future, Deadline deadline);

    /** Waits at most this long, and returns the future's value or the other one. */
    <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout);

    /** Waits for a lock until the deadline; returns whether it is held. An interrupted thread does not hold it. */
    boolean awaitTurn(Lock lock, Deadline deadline);

    /** Waits this long or until an interrupt, which the caller must check. */
    void pause(Duration duration);
}

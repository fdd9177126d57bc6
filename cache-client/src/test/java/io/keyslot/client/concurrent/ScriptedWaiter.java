// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * Lets something happen while it waits for a reply, and waits for everything else as others do.
 *
 * @param seen gets whether what was waited for was there already, each time
 */
public record ScriptedWaiter(List<Boolean> seen, Runnable meanwhile) implements Waiter {
    private static final Waiter SYSTEM = new SystemWaiter();

    @Override
    public void awaitDone(CompletableFuture<?> future, Deadline deadline) {
        seen.add(future.isDone());
        meanwhile.run();
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
        return SYSTEM.await(future, deadline, onTimeout);
    }

    @Override
    public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
        return SYSTEM.awaitClose(future, atMost, onTimeout);
    }

    @Override
    public boolean awaitTurn(Lock lock, Deadline deadline) {
        return SYSTEM.awaitTurn(lock, deadline);
    }

    @Override
    public void pause(Duration duration) {
        SYSTEM.pause(duration);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** Never waits: in a test on one thread, what is not there yet will not come by waiting. */
public class ImpatientWaiter implements Waiter {
    @Override
    public <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
        return future.isDone() ? future.join() : onTimeout.get();
    }

    @Override
    public void awaitDone(CompletableFuture<?> future, Deadline deadline) {}

    @Override
    public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
        return future.isDone() ? future.join() : onTimeout.get();
    }

    @Override
    public boolean awaitTurn(Lock lock, Deadline deadline) {
        return lock.tryLock();
    }

    @Override
    public void pause(Duration duration) {}
}

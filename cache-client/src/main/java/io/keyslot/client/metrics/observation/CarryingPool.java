// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics.observation;

import io.keyslot.client.pool.CallerContext;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** A pool whose tasks run on behalf of who hands them in. */
final class CarryingPool extends AbstractExecutorService {
    private final ExecutorService pool;
    private final CallerContext context;

    CarryingPool(ExecutorService pool, CallerContext context) {
        this.pool = pool;
        this.context = context;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(context.carryTask(task));
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return pool.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return pool.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return pool.awaitTermination(timeout, unit);
    }
}

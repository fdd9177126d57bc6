// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.Clockwork;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/** The clock and threads of this machine. */
final class RealTime implements Clockwork {
    private final Ticker ticker = new SystemTicker();
    private final Waiter waiter = new SystemWaiter();

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public Waiter waiter() {
        return waiter;
    }

    @Override
    public RandomGenerator seeds() {
        return new Random(1);
    }

    @Override
    public ScheduledExecutorService scheduler(String client) {
        return Executors.newSingleThreadScheduledExecutor();
    }

    @Override
    public ExecutorService pool(String client, String role, int threads, int queue) {
        return Executors.newFixedThreadPool(threads);
    }
}

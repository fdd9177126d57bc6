// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Threads;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/** The clock, threads and randomness of this machine. */
final class SystemClockwork implements Clockwork {
    private final Ticker ticker = new SystemTicker();
    private final Waiter waiter = new SystemWaiter();
    private final SecureRandom seeds = new SecureRandom();

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
        return seeds;
    }

    @Override
    public ScheduledExecutorService scheduler(String client) {
        return Threads.scheduler(client);
    }

    @Override
    public ExecutorService pool(String client, String role, int threads, int queue) {
        return Threads.pool(client, role, threads, queue);
    }
}

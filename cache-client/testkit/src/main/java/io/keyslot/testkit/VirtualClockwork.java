// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.Clockwork;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/** The clockwork of all clients of a test: one virtual time, and random numbers from a seed. */
final class VirtualClockwork implements Clockwork, AutoCloseable {
    private final VirtualTime time = new VirtualTime();
    private final Waiter waiter = new VirtualWaiter(time);
    private final Random chance;
    private final List<VirtualPool> pools = new CopyOnWriteArrayList<>();

    VirtualClockwork(long seed) {
        this.chance = new Random(seed);
    }

    VirtualTime time() {
        return time;
    }

    @Override
    public Ticker ticker() {
        return time;
    }

    @Override
    public Waiter waiter() {
        return waiter;
    }

    @Override
    public RandomGenerator seeds() {
        return chance;
    }

    @Override
    public ScheduledExecutorService scheduler(String client) {
        return new VirtualScheduler(time);
    }

    @Override
    public ExecutorService pool(String client, String role, int threads, int queue) {
        VirtualPool pool = new VirtualPool(time, "keyslot-%s-%s".formatted(client, role), threads, queue);
        pools.add(pool);
        return pool;
    }

    /** Time moves only while a thread waits for it. */
    @Override
    public int mostAhead() {
        return 0;
    }

    @Override
    public void close() {
        pools.forEach(VirtualPool::shutdownNow);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/**
 * Where clients take time, chance and threads from: all of it, so that a clockwork whose time does not pass by itself
 * decides what happens when. Safe for use by several threads.
 */
public interface Clockwork {
    /** Returns the clock. */
    Ticker ticker();

    /** Returns what waits until something has happened by that clock. */
    Waiter waiter();

    /** Returns what gives each client numbers that no other one has: the start of its stamps, the seed of its pauses. */
    RandomGenerator seeds();

    /** Returns a new scheduler for the timers of a client, which shuts it down. They are short. */
    ScheduledExecutorService scheduler(String client);

    /**
     * Returns a new pool of threads for code of the application, bounded in threads and in what waits for them. It refuses
     * what is beyond. The client shuts it down.
     *
     * @param role what the threads are for, in their names
     * @param queue how many tasks wait at most; 0 if a task that finds no free thread is refused
     */
    ExecutorService pool(String client, String role, int threads, int queue);
}

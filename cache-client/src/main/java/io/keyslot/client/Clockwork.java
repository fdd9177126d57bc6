// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.concurrent.WorkPool;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/** The source of all time, randomness and threads of clients, so that tests can control them. Thread-safe. */
public interface Clockwork {
    Ticker ticker();

    Waiter waiter();

    /** Returns a source of unique numbers for each client: the start of its stamps, and the seed of its pauses. */
    RandomGenerator seeds();

    /** Returns a new scheduler for the short timers of a client, which shuts it down. */
    ScheduledExecutorService scheduler(String client);

    /**
     * Returns a new pool for code of the application, which the client shuts down. The threads have {@code role} in
     * their names. At most {@code queue} tasks wait, with 0 none; others are rejected.
     */
    ExecutorService pool(String client, String role, int threads, int queue);

    /**
     * Returns the most entries whose replies a client awaits without a waiting thread; 0 if time passes only while a thread
     * waits.
     */
    default int mostAhead() {
        return WorkPool.MOST_AHEAD;
    }

    static Clockwork ofMachine() {
        return new MachineClockwork(new SystemTicker(), new SystemWaiter(), new SecureRandom());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.history.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Asks the parent for nothing, again and again, and writes down when that takes long. It crosses processes and threads as
 * a call of a cache does, without one.
 */
final class StallWatch implements Runnable {
    private static final long NANOS_BETWEEN = 5_000_000;
    private static final long SHORTEST_NANOS = 15_000_000;

    private final String process;
    private final DatabaseClient database;
    private final BooleanSupplier running;
    private final Ticker ticker = new SystemTicker();
    private final List<Period> stalls = new ArrayList<>();

    StallWatch(String process, DatabaseClient database, BooleanSupplier running) {
        this.process = process;
        this.database = database;
        this.running = running;
    }

    @Override
    public void run() {
        long start = ticker.nanos();
        while (running.getAsBoolean()) {
            LockSupport.parkNanos(NANOS_BETWEEN);
            database.ping();
            long end = ticker.nanos();
            if (end - start > SHORTEST_NANOS) {
                stalls.add(new Period(process, start, end));
            }
            start = end;
        }
    }

    /** Returns what was seen, once the thread has ended. */
    List<Period> stalls() {
        return stalls;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.history.Period;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Writes down when a change of this process may have gone to a journal: something is in one, or a partition is not healthy,
 * or has not been since the last look. A machine that stalls makes a partition miss without any fault of the test.
 */
final class PendingDeletesWatch implements Runnable {
    private static final long NANOS_BETWEEN = 5_000_000;

    private final String process;
    private final PartitionedCacheManager manager;
    private final MeterRegistry meters;
    private final BooleanSupplier running;
    private final Ticker ticker = new SystemTicker();
    private final List<Period> uses = new ArrayList<>();

    PendingDeletesWatch(
            String process, PartitionedCacheManager manager, MeterRegistry meters, BooleanSupplier running) {
        this.process = process;
        this.manager = manager;
        this.meters = meters;
        this.running = running;
    }

    @Override
    public void run() {
        long lastCheck = ticker.nanos();
        double lastTransitions = transitions();
        while (running.getAsBoolean()) {
            LockSupport.parkNanos(NANOS_BETWEEN);
            long look = ticker.nanos();
            boolean isUsed = manager.partitions().stream().anyMatch(PendingDeletesWatch::mayUseItsPendingDeletes);
            double transitions = transitions();
            if (isUsed || transitions != lastTransitions) {
                note(lastCheck, ticker.nanos());
            }
            lastCheck = look;
            lastTransitions = transitions;
        }
    }

    /** A use goes on from look to look: what was written down at its beginning may be deleted at its end. */
    private void note(long start, long end) {
        Period last = uses.isEmpty() ? null : uses.get(uses.size() - 1);
        if (last != null && last.end() >= start) {
            uses.set(uses.size() - 1, new Period(process, last.start(), end));
        } else {
            uses.add(new Period(process, start, end));
        }
    }

    private static boolean mayUseItsPendingDeletes(PartitionStatus partition) {
        return partition.journal() > 0 || partition.state() != PartitionState.HEALTHY;
    }

    private double transitions() {
        return meters.find("keyslot.partition.transitions").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    /** Returns what was seen, once the thread has ended. */
    List<Period> uses() {
        return uses;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures two alternatives in turns within one run, so that disturbances of the machine affect both. Each round
 * reports the time of a call, the CPU of client and servers, and the ratio of the first to the second. For use by one
 * thread.
 */
public final class Duel {
    /** Much longer than the 10 ms resolution of CPU times. */
    private static final Duration TURN = Duration.ofMillis(200);

    private static final int TURNS = 5;
    private static final int CALLS_BETWEEN_LOOKS_AT_THE_CLOCK = 8;
    private static final double NANOS_PER_MICRO = 1_000;

    private final List<Long> servers;
    private final LongSupplier nanoTime;

    /** {@code servers} are the process ids of the servers. */
    public Duel(List<Long> servers, LongSupplier nanoTime) {
        this.servers = ProcessCpu.isKnown() ? List.copyOf(servers) : List.of();
        this.nanoTime = nanoTime;
    }

    /** Runs both sides in turns, and reports their costs. */
    public void round(String first, Runnable ours, String second, Runnable theirs) {
        Side one = new Side(ours);
        Side other = new Side(theirs);
        for (int turn = 0; turn < TURNS; turn++) {
            one.run();
            other.run();
        }
        one.report(first);
        other.report(second);
        report("ratio.time", one.nanos() / other.nanos(), "times");
        report("ratio.cpu.client", one.clientNanos() / other.clientNanos(), "times");
        if (!servers.isEmpty()) {
            report("ratio.cpu.server", one.serverNanos() / other.serverNanos(), "times");
        }
        report("ratio.alloc", one.allocatedBytes() / other.allocatedBytes(), "times");
    }

    private static void report(String name, double value, String unit) {
        RunningTrial.report(name, value, unit);
    }

    private final class Side {
        private final Runnable call;
        private long calls;
        private long nanos;
        private long clientNanos;
        private long serverNanos;
        private long allocatedBytes;

        Side(Runnable call) {
            this.call = call;
        }

        void run() {
            CostReading from = CostReading.now(servers);
            long begin = nanoTime.getAsLong();
            long taken = 0;
            while (taken < TURN.toNanos()) {
                for (int i = 0; i < CALLS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
                    call.run();
                }
                calls += CALLS_BETWEEN_LOOKS_AT_THE_CLOCK;
                taken = nanoTime.getAsLong() - begin;
            }
            CostReading spent = CostReading.now(servers).since(from);
            nanos += taken;
            clientNanos += spent.clientNanos();
            serverNanos += spent.serverNanos();
            allocatedBytes += spent.allocatedBytes();
        }

        double nanos() {
            return (double) nanos / calls;
        }

        double clientNanos() {
            return (double) clientNanos / calls;
        }

        double serverNanos() {
            return (double) serverNanos / calls;
        }

        double allocatedBytes() {
            return (double) allocatedBytes / calls;
        }

        void report(String name) {
            Duel.report(name + ".time", nanos() / NANOS_PER_MICRO, "us/op");
            Duel.report(name + ".cpu.client", clientNanos() / NANOS_PER_MICRO, "us/op");
            if (!servers.isEmpty()) {
                Duel.report(name + ".cpu.server", serverNanos() / NANOS_PER_MICRO, "us/op");
            }
            Duel.report(name + ".alloc", allocatedBytes(), "B/op");
        }
    }
}

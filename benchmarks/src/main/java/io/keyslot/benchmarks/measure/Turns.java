// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * Several threads that call for a short time whenever it is this process's turn, and what that costs. Processes that take
 * turns are compared more exactly than those that are measured one after the other: whatever else the machine does befalls
 * all of them. For use by one thread.
 */
public final class Turns implements AutoCloseable {
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int CALLS_BETWEEN_LOOKS_AT_THE_CLOCK = 8;

    private final List<Runnable> callers;
    private final List<Long> servers;
    private final LongSupplier nanoTime;
    private final ExecutorService threads;

    /**
     * Prepares turns.
     *
     * @param callers what each thread calls
     * @param servers the processes whose CPU time is the servers'
     * @param nanoTime the clock
     */
    public Turns(List<Runnable> callers, List<Long> servers, LongSupplier nanoTime) {
        this.callers = List.copyOf(callers);
        this.servers = ProcessCpu.isKnown() ? List.copyOf(servers) : List.of();
        this.nanoTime = nanoTime;
        this.threads = Executors.newFixedThreadPool(callers.size());
    }

    /**
     * What a turn has shown.
     *
     * @param perSecond calls of all threads together
     * @param clientMicros CPU of this process for each call
     * @param serverMicros CPU of the servers for each call
     * @param allocatedBytes of this process for each call
     */
    public record Cost(double perSecond, double clientMicros, double serverMicros, double allocatedBytes) {}

    /** Lets the threads call for this long. */
    public Cost take(Duration length) {
        CostReading from = CostReading.now(servers);
        long begin = nanoTime.getAsLong();
        List<CompletableFuture<Long>> running = new ArrayList<>();
        callers.forEach(caller ->
                running.add(CompletableFuture.supplyAsync(() -> call(caller, begin + length.toNanos()), threads)));
        double calls = running.stream().mapToLong(CompletableFuture::join).sum();
        long taken = nanoTime.getAsLong() - begin;
        CostReading spent = CostReading.now(servers).since(from);
        return new Cost(
                calls * NANOS_PER_SECOND / taken,
                spent.clientNanos() / calls / NANOS_PER_MICRO,
                spent.serverNanos() / calls / NANOS_PER_MICRO,
                spent.allocatedBytes() / calls);
    }

    private long call(Runnable caller, long end) {
        long calls = 0;
        do {
            for (int i = 0; i < CALLS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
                caller.run();
            }
            calls += CALLS_BETWEEN_LOOKS_AT_THE_CLOCK;
        } while (nanoTime.getAsLong() < end);
        return calls;
    }

    /** Ends the threads. */
    @Override
    public void close() {
        threads.shutdown();
    }
}

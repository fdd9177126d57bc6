// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.client.concurrent.LatencyHistogram;
import java.util.List;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** A thread of {@link CacheBenchmark}: its keys, their order, and its latencies. */
@State(Scope.Thread)
public class Caller {
    private static final int CHOSEN = 1 << 16;

    private static final int READS_AND_WRITE = 20;

    /** Coprime to the load's period, so that writes are timed as often as reads. */
    private static final int SELDOM = 61;

    private final LongSupplier clock = System::nanoTime;
    private LatencyHistogram latencies = new LatencyHistogram();
    private int[] chosen = {};
    private List<Batch> batches = List.of();
    private List<EncodedCustomer> samples = List.of();
    private int period = 1;
    private int position;
    private int untilTimed = 1;

    /** Chooses keys, different in each thread and equal in each run. */
    @Setup
    public void prepare(CacheBenchmark benchmark, ThreadParams thread) {
        prepare(benchmark, thread.getThreadIndex());
    }

    void prepare(CacheBenchmark benchmark, int thread) {
        latencies = RunningTrial.histogram();
        chosen = benchmark.choose(CHOSEN, thread);
        batches = benchmark.batches();
        samples = benchmark.samples();
        // Reading the clock takes as long as a read within the process.
        period = benchmark.readsInTheProcess() ? SELDOM : 1;
        position = thread * 7919;
    }

    long nextId() {
        return chosen[++position & (CHOSEN - 1)];
    }

    boolean isWrite() {
        return position % READS_AND_WRITE == 0;
    }

    EncodedCustomer sample(long id) {
        return samples.get(Math.floorMod(id + position, samples.size()));
    }

    Batch nextBatch() {
        return batches.get((++position & Integer.MAX_VALUE) % batches.size());
    }

    /** Starts an operation. Returns the time, or 0 if it is not timed. */
    long begin() {
        if (--untilTimed > 0) {
            return 0;
        }
        untilTimed = period;
        return clock.getAsLong();
    }

    void end(long begin) {
        if (begin != 0) {
            latencies.record(clock.getAsLong() - begin);
        }
    }
}

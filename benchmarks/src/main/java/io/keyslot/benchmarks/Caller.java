// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.List;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** One thread of {@link CacheBenchmark}: which keys it asks for, in which order, and how long the answers took. */
@State(Scope.Thread)
public class Caller {
    /** So many keys are chosen in advance. A power of two. */
    private static final int CHOSEN = 1 << 16;

    /** One of twenty operations of a mixed load writes. */
    private static final int READS_AND_WRITE = 20;

    /** Prime to the load's period, so that writes are timed as often as reads. */
    private static final int SELDOM = 61;

    private final LongSupplier clock = System::nanoTime;
    private LatencyHistogram latencies = new LatencyHistogram();
    private int[] chosen = {};
    private List<Batch> batches = List.of();
    private List<EncodedCustomer> samples = List.of();
    private int period = 1;
    private int position;
    private int untilTimed = 1;

    /** Chooses keys, others in each thread and the same in each run. */
    @Setup
    public void prepare(CacheBenchmark benchmark, ThreadParams thread) {
        prepare(benchmark, thread.getThreadIndex());
    }

    void prepare(CacheBenchmark benchmark, int thread) {
        latencies = RunningTrial.histogram();
        chosen = benchmark.choose(CHOSEN, thread);
        batches = benchmark.batches();
        samples = benchmark.samples();
        // The clock takes as long as a read within the process does.
        period = benchmark.readsInTheProcess() ? SELDOM : 1;
        position = thread * 7919;
    }

    /** Returns the next key. */
    long nextId() {
        return chosen[++position & (CHOSEN - 1)];
    }

    /** Returns whether the operation on the key that was returned last is to write it. */
    boolean isWrite() {
        return position % READS_AND_WRITE == 0;
    }

    /** Returns what is to be written under a key. */
    EncodedCustomer sample(long id) {
        return samples.get(Math.floorMod(id + position, samples.size()));
    }

    /** Returns the next batch. */
    Batch nextBatch() {
        return batches.get((++position & Integer.MAX_VALUE) % batches.size());
    }

    /** Tells that an operation begins. Returns when, or 0 if this one is not timed. */
    long begin() {
        if (--untilTimed > 0) {
            return 0;
        }
        untilTimed = period;
        return clock.getAsLong();
    }

    /** Tells that the operation ended that began then. */
    void end(long begin) {
        if (begin != 0) {
            latencies.record(clock.getAsLong() - begin);
        }
    }
}

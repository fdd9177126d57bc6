// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.measure.Pace;
import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * The latency of gets under a load that leaves room: warm-up finds out how many calls there can be, and the measurement asks
 * for a part of them, each thread at its own even pace. A latency begins when the call was to begin, so that one answer that
 * is late makes all those late that were to follow it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(64)
public class LoadBenchmark {
    private static final long SEED = 20_261_122;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanoTime = System::nanoTime;
    private final LongAdder calls = new LongAdder();

    @Param({"lettuce-sync", "lettuce-kryo", "keyslot", "jedis"})
    private String contender = "";

    /** Which part of what is possible is asked for. */
    @Param("70")
    private int percent;

    /** How many calls are asked for in a second by all threads together; 0 for as many as {@code percent} says. */
    @Param("0")
    private int rate;

    @Param("100000")
    private int entries;

    private @Nullable FilledContender filled;
    private long began;
    private double possible;

    /** Opens and fills the contender, which is not measured. */
    @Setup
    public void prepare() {
        filled = FilledContender.open(
                ContenderType.of(contender), Lifetime.MODIFIED, Batch.all(entries, ValueSize.BYTES_200.samples()));
    }

    /** Begins to count. */
    @Setup(Level.Iteration)
    public void beginIteration() {
        calls.reset();
        began = nanoTime.getAsLong();
    }

    /** Learns from the warm-up how many calls there can be. */
    @TearDown(Level.Iteration)
    public void endIteration(IterationParams iteration) {
        if (iteration.getType() == IterationType.WARMUP) {
            possible = calls.sum() * NANOS_PER_SECOND / (nanoTime.getAsLong() - began);
        }
    }

    /** Returns the time between two calls of one of so many threads; 0 for none. */
    long intervalNanos(IterationType type, int threads) {
        if (type == IterationType.WARMUP) {
            return 0;
        }
        double wanted = rate > 0 ? rate : possible * percent / 100;
        if (wanted <= 0) {
            throw new IllegalStateException("Without warm-up, rate must be given");
        }
        return (long) (threads * NANOS_PER_SECOND / wanted);
    }

    /** Gets one entry, when its time has come. */
    @Benchmark
    public Object get(PacedCaller caller) {
        long intended = caller.pace.await();
        Object found = filled().contender().get(caller.nextId());
        caller.latencies.record(nanoTime.getAsLong() - intended);
        calls.increment();
        if (found == null) {
            throw new IllegalStateException("%s has lost a customer".formatted(contender));
        }
        return found;
    }

    private FilledContender filled() {
        FilledContender open = filled;
        if (open == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return open;
    }

    /** Closes the contender, and ends the servers if they were started for it. */
    @TearDown
    public void end() {
        filled().endTrial();
        filled().close();
    }

    /** One of the threads. */
    @State(Scope.Thread)
    public static class PacedCaller {
        private static final int CHOSEN = 1 << 14;

        private final Pace pace = new Pace(System::nanoTime, LockSupport::parkNanos);
        private LatencyHistogram latencies = new LatencyHistogram();
        private int[] chosen = {};
        private int position;

        /** Chooses keys. */
        @Setup
        public void prepare(LoadBenchmark benchmark, ThreadParams thread) {
            latencies = RunningTrial.histogram();
            chosen = KeyChoice.UNIFORM.choose(benchmark.entries, CHOSEN, SEED + thread.getThreadIndex());
        }

        /** Begins at a time of its own. */
        @Setup(Level.Iteration)
        public void begin(LoadBenchmark benchmark, IterationParams iteration, ThreadParams thread) {
            long interval = benchmark.intervalNanos(iteration.getType(), thread.getThreadCount());
            pace.begin(interval, interval * thread.getThreadIndex() / thread.getThreadCount());
        }

        private long nextId() {
            return chosen[++position & (CHOSEN - 1)];
        }
    }
}

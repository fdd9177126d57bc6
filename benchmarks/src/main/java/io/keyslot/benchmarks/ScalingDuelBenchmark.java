// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.workload.Customer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A get with many partitions or caches against one with three partitions and one cache, in turn within one JVM: JVMs that
 * are measured one after the other differ by more than what is looked for. Both have as many entries.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class ScalingDuelBenchmark {
    private static final int FEW_PARTITIONS = 3;

    @Param("3")
    private int partitions;

    @Param("1")
    private int caches;

    @Param("60000")
    private int entries;

    private final Duel duel = new Duel(List.of(), System::nanoTime);
    private final ScalingBenchmark.Position ofMany = new ScalingBenchmark.Position();
    private final ScalingBenchmark.Position ofFew = new ScalingBenchmark.Position();
    private ScalingBenchmark many = new ScalingBenchmark();
    private ScalingBenchmark few = new ScalingBenchmark();

    /** For JMH, which sets the parameters. */
    public ScalingDuelBenchmark() {}

    ScalingDuelBenchmark(int partitions, int caches, int entries) {
        this.partitions = partitions;
        this.caches = caches;
        this.entries = entries;
    }

    /** Opens and fills both sides, which is not measured. */
    @Setup
    public void prepare() {
        many = new ScalingBenchmark("many", partitions, caches, entries, 0);
        many.prepare();
        few = new ScalingBenchmark("few", FEW_PARTITIONS, 1, entries, 0);
        few.prepare();
    }

    /** Lets both run in turn. */
    @Benchmark
    public void manyAgainstFew() {
        duel.round("many", this::getOfMany, "few", this::getOfFew);
    }

    /** Gets one entry of many partitions or caches. */
    Customer getOfMany() {
        return many.get(ofMany);
    }

    /** Gets one entry of few. */
    Customer getOfFew() {
        return few.get(ofFew);
    }

    /** Closes both sides. */
    @TearDown
    public void end() {
        many.end();
        few.end();
    }
}

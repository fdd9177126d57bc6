// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
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
 * The reference of {@link ScalingBenchmark}: a bounded map of bytes, without anything of ours. What it costs more with many
 * entries is what the machine's memory costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class MapBenchmark {
    private static final long SEED = 20_261_123;
    private static final int CHOSEN = 1 << 16;
    private static final long MOST_BYTES = 1L << 32;

    @Param("3000")
    private int entries;

    private final Cache<Long, byte[]> map = Caffeine.newBuilder()
            .maximumWeight(MOST_BYTES)
            .weigher((Long key, byte[] value) -> value.length)
            .build();

    private int[] chosen = {};

    /** For JMH, which sets the parameters. */
    public MapBenchmark() {}

    MapBenchmark(int entries) {
        this.entries = entries;
    }

    /** Fills the map, which is not measured. */
    @Setup
    public void prepare() {
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        for (int entry = 0; entry < entries; entry++) {
            map.put((long) entry, samples.get(entry % samples.size()).bytes().clone());
        }
        chosen = KeyChoice.UNIFORM.choose(entries, CHOSEN, SEED);
        RunningTrial.begin(List.of());
    }

    /** Gets and decodes one entry. */
    @Benchmark
    public Customer get(ScalingBenchmark.Position position) {
        int entry = chosen[position.next()];
        byte[] found = map.getIfPresent((long) entry);
        if (found == null) {
            throw new IllegalStateException("Customer %d is lost".formatted(entry));
        }
        return CustomerKryo.decode(found);
    }

    /** Stops to count. */
    @TearDown
    public void end() {
        RunningTrial.end();
    }
}

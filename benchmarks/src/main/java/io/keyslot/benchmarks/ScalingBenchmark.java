// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
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
 * What a call costs as partitions, caches or entries become many, in this process. One parameter is to be varied at a time;
 * {@code docs/benchmarks.md} has the commands.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class ScalingBenchmark {
    private static final long SEED = 20_261_123;
    private static final int CHOSEN = 1 << 16;
    private static final int FILLED_AT_ONCE = 1_000;

    @Param("3")
    private int partitions;

    @Param("1")
    private int caches;

    @Param("1000")
    private int entriesPerPartition;

    private final List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
    private @Nullable CacheManager manager;
    private List<Cache<Long, Customer>> opened = List.of();
    private int[] chosen = {};

    /** For JMH, which sets the parameters. */
    public ScalingBenchmark() {}

    ScalingBenchmark(int partitions, int caches, int entriesPerPartition) {
        this.partitions = partitions;
        this.caches = caches;
        this.entriesPerPartition = entriesPerPartition;
    }

    /** Opens and fills the caches, which is not measured. */
    @Setup
    public void prepare() {
        CacheManager created = KeyslotProvider.open("scaling", Integer.toString(partitions));
        manager = created;
        opened = IntStream.range(0, caches)
                .mapToObj(number -> created.createCache("customer" + number, configuration()))
                .toList();
        int entries = partitions * entriesPerPartition;
        chosen = KeyChoice.UNIFORM.choose(entries, CHOSEN, SEED);
        fill(entries);
        RunningTrial.begin(List.of());
    }

    private static PartitionedConfiguration<Long, Customer> configuration() {
        PartitionedConfiguration<Long, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setCodecFactory(CustomerCodec::new);
        configuration.setTypes(Long.class, Customer.class);
        return configuration;
    }

    /** Entry {@code n} is in cache {@code n modulo caches}. */
    private void fill(int entries) {
        for (int cache = 0; cache < caches; cache++) {
            Map<Long, Customer> batch = new HashMap<>();
            for (int entry = cache; entry < entries; entry += caches) {
                batch.put((long) entry, sample(entry));
                if (batch.size() == FILLED_AT_ONCE) {
                    opened.get(cache).putAll(batch);
                    batch.clear();
                }
            }
            opened.get(cache).putAll(batch);
        }
    }

    private Customer sample(int entry) {
        return samples.get(entry % samples.size()).customer();
    }

    /** Gets one entry of one of the caches. */
    @Benchmark
    public Customer get(Position position) {
        int entry = chosen[position.next()];
        Customer found = opened.get(entry % caches).get((long) entry);
        if (found == null) {
            throw new IllegalStateException("Customer %d is lost".formatted(entry));
        }
        return found;
    }

    /** Puts one entry of one of the caches. */
    @Benchmark
    public void put(Position position) {
        int entry = chosen[position.next()];
        opened.get(entry % caches).put((long) entry, sample(entry + 1));
    }

    /** Closes the caches. */
    @TearDown
    public void end() {
        RunningTrial.end();
        if (manager != null) {
            manager.close();
        }
    }

    /** Where a thread is among the chosen keys. */
    @State(Scope.Thread)
    public static class Position {
        private int last;

        int next() {
            return ++last & (CHOSEN - 1);
        }
    }
}

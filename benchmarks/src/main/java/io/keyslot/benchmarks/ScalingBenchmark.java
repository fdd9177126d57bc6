// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.PartitionedConfiguration;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * What a call costs as partitions, caches or entries become many: in this process, or at many addresses of a few servers,
 * each of which has a database and a connection of its own. One parameter is to be varied at a time: entries are counted in
 * total. {@code docs/benchmarks.md} has the commands.
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
    private static final int ADDRESSES_OF_A_SERVER = 16; // as many as Redis binds, and databases it has

    @Param("3")
    private int partitions;

    @Param("1")
    private int caches;

    /** How many there are in all caches and partitions together, so that they stay as many when those become more. */
    @Param("60000")
    private int entries;

    /** How many servers there are, of which each has up to 16 of the partitions; 0 for partitions in this process. */
    @Param("0")
    private int servers;

    private final String name;
    private final List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
    private @Nullable BenchmarkServers started;
    private @Nullable CacheManager manager;
    private List<Cache<Long, Customer>> opened = List.of();
    private int[] chosen = {};

    /** For JMH, which sets the parameters. */
    public ScalingBenchmark() {
        this.name = "scaling";
    }

    ScalingBenchmark(int partitions, int caches, int entries, int servers) {
        this("scaling", partitions, caches, entries, servers);
    }

    /** @param name of the manager: those of one process have different ones */
    ScalingBenchmark(String name, int partitions, int caches, int entries, int servers) {
        this.name = name;
        this.servers = servers;
        this.partitions = partitions;
        this.caches = caches;
        this.entries = entries;
    }

    /** Opens and fills the caches, which is not measured. */
    @Setup
    public void prepare() {
        BenchmarkServers running = BenchmarkServers.start(servers, bindings());
        started = running;
        CacheManager created =
                KeyslotProvider.open(name, servers == 0 ? Integer.toString(partitions) : addresses(running.uris()));
        manager = created;
        opened = IntStream.range(0, caches)
                .mapToObj(number -> created.createCache("customer" + number, configuration()))
                .toList();
        chosen = KeyChoice.UNIFORM.choose(entries, CHOSEN, SEED);
        fill();
        RunningTrial.begin(running.processes().stream().map(ServerProcess::pid).toList());
    }

    /** Lets a server listen at as many addresses as it may. Linux has all of 127.0.0.0/8; others would have to be given them. */
    private static String[] bindings() {
        return Stream.concat(
                        Stream.of("--bind"),
                        IntStream.range(0, ADDRESSES_OF_A_SERVER).mapToObj(ScalingBenchmark::host))
                .toArray(String[]::new);
    }

    private static String host(int number) {
        return "127.0.0." + (number + 1);
    }

    /** Returns an address for each partition, with a database of its own. */
    private String addresses(List<URI> uris) {
        return IntStream.range(0, partitions)
                .mapToObj(number -> "redis://%s:%d/%d"
                        .formatted(
                                host(number / servers),
                                uris.get(number % servers).getPort(),
                                number / servers))
                .collect(Collectors.joining(","));
    }

    private static PartitionedConfiguration<Long, Customer> configuration() {
        PartitionedConfiguration<Long, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setCodecFactory(CustomerCodec::new);
        configuration.setTypes(Long.class, Customer.class);
        return configuration;
    }

    /** Entry {@code n} is in cache {@code n modulo caches}. */
    private void fill() {
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
        if (started != null) {
            started.close();
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

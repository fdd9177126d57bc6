// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.CustomerKryo;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A get with many partitions, caches or entries against one that has few of them or nothing of ours, in turn within one JVM:
 * JVMs that are measured one after the other differ by more than what is looked for. Both have as many entries.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Threads(1)
public class ScalingBenchmark {
    private static final long SEED = 20_261_123;
    private static final int CHOSEN = 1 << 16;
    private static final int FEW_PARTITIONS = 3;
    private static final long MOST_BYTES = 1L << 32;
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

    @Param("FEW")
    private Reference reference = Reference.FEW;

    private @Nullable BenchmarkServers started;
    private @Nullable ManyEntries many;
    private @Nullable ManyEntries few;
    private IntFunction<@Nullable Customer> other = entry -> null;
    private int[] chosen = {};
    private int last;

    /** What it is compared to. */
    public enum Reference {
        /** One cache on three partitions in this process, or on as many servers with one partition each. */
        FEW,

        /** A bounded map of bytes, without anything of ours: what more entries cost there is what memory costs. */
        MAP
    }

    /** For JMH, which sets the parameters. */
    public ScalingBenchmark() {}

    ScalingBenchmark(int partitions, int caches, int entries, int servers, Reference reference) {
        this.partitions = partitions;
        this.caches = caches;
        this.entries = entries;
        this.servers = servers;
        this.reference = reference;
    }

    /** Opens and fills both sides, which is not measured. */
    @Setup
    public void prepare() {
        BenchmarkServers running = BenchmarkServers.start(2 * servers, bindings());
        started = running;
        many = new ManyEntries("many", where(running.uris().subList(0, servers), partitions), caches, entries);
        other = reference == Reference.MAP ? map() : few(running.uris().subList(servers, 2 * servers));
        chosen = KeyChoice.UNIFORM.choose(entries, CHOSEN, SEED);
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

    /** Returns an address for each partition, with a database of its own; their number if there are no servers. */
    private static String where(List<URI> uris, int partitions) {
        return uris.isEmpty()
                ? Integer.toString(partitions)
                : IntStream.range(0, partitions)
                        .mapToObj(number -> "redis://%s:%d/%d"
                                .formatted(
                                        host(number / uris.size()),
                                        uris.get(number % uris.size()).getPort(),
                                        number / uris.size()))
                        .collect(Collectors.joining(","));
    }

    private IntFunction<@Nullable Customer> few(List<URI> uris) {
        ManyEntries opened = new ManyEntries("few", where(uris, servers == 0 ? FEW_PARTITIONS : servers), 1, entries);
        few = opened;
        return opened::get;
    }

    private IntFunction<@Nullable Customer> map() {
        Cache<Long, byte[]> map = Caffeine.newBuilder()
                .maximumWeight(MOST_BYTES)
                .weigher((Long key, byte[] value) -> value.length)
                .build();
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        for (int entry = 0; entry < entries; entry++) {
            map.put((long) entry, samples.get(entry % samples.size()).bytes().clone());
        }
        return entry -> decoded(map.getIfPresent((long) entry));
    }

    private static @Nullable Customer decoded(byte @Nullable [] found) {
        return found == null ? null : CustomerKryo.decode(found);
    }

    /** Lets both run in turn. */
    @Benchmark
    public void manyAgainstFew() {
        List<Long> pids =
                opened(started).processes().stream().map(ServerProcess::pid).toList();
        new Duel(pids, System::nanoTime)
                .round("many", () -> getOfMany(next()), "reference", () -> getOfReference(next()));
    }

    /** Gets one entry of one of the caches. */
    Customer getOfMany(int entry) {
        return checked(opened(many).get(entry));
    }

    /** Gets one entry of what they are compared to. */
    Customer getOfReference(int entry) {
        return checked(other.apply(entry));
    }

    private int next() {
        return chosen[++last & (CHOSEN - 1)];
    }

    private static Customer checked(@Nullable Customer found) {
        if (found == null) {
            throw new IllegalStateException("A customer is lost");
        }
        return found;
    }

    private static <T> T opened(@Nullable T prepared) {
        if (prepared == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return prepared;
    }

    /** Closes both sides. */
    @TearDown
    public void end() {
        opened(many).close();
        if (few != null) {
            few.close();
        }
        opened(started).close();
    }
}

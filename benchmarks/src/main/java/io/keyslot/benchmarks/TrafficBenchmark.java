// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.cache.Cache;
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

/** What it costs a client to count its calls by slot: a client that does against one that does not, at the same servers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(1)
@Threads(1)
public class TrafficBenchmark {
    private static final int SERVERS = 3;
    private static final int CHOICES = 1 << 14;

    @Param("100000")
    private int entries;

    private @Nullable BenchmarkServers servers;
    private @Nullable PartitionedCacheManager counting;
    private @Nullable PartitionedCacheManager plain;
    private String[] keys = {};
    private int next;

    /** For JMH, which sets the parameter. */
    public TrafficBenchmark() {}

    TrafficBenchmark(int entries) {
        this.entries = entries;
    }

    /** Opens both clients and stores the entries, which is not measured. */
    @Setup
    public void prepare() {
        BenchmarkServers started = BenchmarkServers.open(SERVERS);
        servers = started;
        String addresses = started.uris().stream().map(URI::toString).collect(Collectors.joining(","));
        PartitionedCacheManager one =
                KeyslotProvider.open("counting", addresses, Map.of("keyslot.trafficReports", "10s"));
        PartitionedCacheManager other =
                KeyslotProvider.open("plain", addresses, Map.of("keyslot.trafficReports", "off"));
        counting = one;
        plain = other;
        cache(other);
        Cache<String, String> filled = cache(one);
        Map<String, String> batch = new HashMap<>();
        for (int entry = 0; entry < entries; entry++) {
            batch.put("k" + entry, "v".repeat(200));
            if (batch.size() == 500) {
                filled.putAll(batch);
                batch.clear();
            }
        }
        filled.putAll(batch);
        keys = new Random(1)
                .ints(CHOICES, 0, entries)
                .mapToObj(entry -> "k" + entry)
                .toArray(String[]::new);
    }

    private static Cache<String, String> cache(@Nullable PartitionedCacheManager manager) {
        if (manager == null) {
            throw new IllegalStateException("prepare comes first");
        }
        Cache<String, String> present = manager.getCache("customer", String.class, String.class);
        return present == null
                ? manager.createCache(
                        "customer", new PartitionedConfiguration<String, String>().setTypes(String.class, String.class))
                : present;
    }

    /** Lets both read in turn. */
    @Benchmark
    public void get() {
        Cache<String, String> ours = cache(counting);
        Cache<String, String> theirs = cache(plain);
        duel().round("counting", () -> get(ours), "plain", () -> get(theirs));
    }

    /** Reads one entry. */
    void get(Cache<String, String> cache) {
        if (cache.get(nextKey()) == null) {
            throw new IllegalStateException("an entry was lost");
        }
    }

    /** Lets both write in turn. */
    @Benchmark
    public void put() {
        Cache<String, String> ours = cache(counting);
        Cache<String, String> theirs = cache(plain);
        String value = "w".repeat(200);
        duel().round("counting", () -> ours.put(nextKey(), value), "plain", () -> theirs.put(nextKey(), value));
    }

    Cache<String, String> countingCache() {
        return cache(counting);
    }

    private String nextKey() {
        return keys[++next & (CHOICES - 1)];
    }

    private Duel duel() {
        BenchmarkServers started = servers;
        if (started == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return new Duel(started.processes().stream().map(ServerProcess::pid).toList(), System::nanoTime);
    }

    /** Closes both sides. */
    @TearDown
    public void end() {
        if (counting != null) {
            counting.close();
        }
        if (plain != null) {
            plain.close();
        }
        if (servers != null) {
            servers.close();
        }
    }
}

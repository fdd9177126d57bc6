// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.ScanResult;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
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

/** The time to scan all entries of a cache, on one partition and on several. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ScanBenchmark {
    private static final int BATCH = 5_000;
    private static final int TOP = 10;
    private static final Comparator<Cache.Entry<String, String>> BY_VALUE = Comparator.comparing(Cache.Entry::getValue);

    @Param({"1", "3"})
    private int partitions = 1;

    @Param
    private Where where = Where.EMBEDDED;

    @Param("100000")
    private int entries = 1;

    private @Nullable LocalServers servers;
    private @Nullable CacheManager manager;
    private @Nullable PartitionedCache<String, String> cache;

    public enum Where {
        EMBEDDED,
        SERVERS
    }

    public ScanBenchmark() {}

    ScanBenchmark(Where where, int partitions, int entries) {
        this.where = where;
        this.partitions = partitions;
        this.entries = entries;
    }

    @Setup
    public void prepare() {
        CacheManager opened = KeyslotProvider.open("benchmark", partitionsSetting());
        manager = opened;
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, String> created = opened.createCache(
                        "order", new MutableConfiguration<String, String>().setTypes(String.class, String.class))
                .unwrap(PartitionedCache.class);
        fill(created);
        cache = created;
    }

    private String partitionsSetting() {
        if (where == Where.EMBEDDED) {
            return Integer.toString(partitions);
        }
        LocalServers started = LocalServers.create();
        servers = started;
        return started.start(partitions).stream().map(LocalServer::uri).collect(Collectors.joining(","));
    }

    private void fill(PartitionedCache<String, String> filled) {
        Map<String, String> batch = new HashMap<>();
        for (int i = 0; i < entries; i++) {
            batch.put("2026-" + i, "customer %d, %d pieces, to be sent by truck".formatted(i % 1_000, i * 7919 % 100));
            if (batch.size() == BATCH || i == entries - 1) {
                filled.putAll(batch);
                batch.clear();
            }
        }
    }

    /** Scans all entries; the filter accepts one in a hundred, of which the first ten are returned. */
    @Benchmark
    public ScanResult<String, String> top() {
        PartitionedCache<String, String> scanned = cache;
        if (scanned == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return scanned.scan(entry -> entry.getValue().contains(", 99 pieces"), TOP, BY_VALUE);
    }

    @TearDown
    public void end() {
        if (manager != null) {
            manager.close();
        }
        if (servers != null) {
            servers.close();
        }
    }
}

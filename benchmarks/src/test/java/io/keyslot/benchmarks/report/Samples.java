// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.Operation;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.benchmarks.workload.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measurements with round numbers. */
final class Samples {
    static final Workload GET = new Workload(Operation.GET, ValueSize.BYTES_200, KeyChoice.UNIFORM, 8);

    static final RunFacts FACTS = new RunFacts(
            "2026-11-21T10:00:00Z",
            "./keyslot bench --json \"a<b\".json",
            "17.0.13",
            "Linux 6.1 amd64",
            2,
            "Redis 7.0.15",
            Map.of("lettuce-core", "7.7.0.RELEASE", "jedis", "6.0.0"),
            "1 round of 2 s after 1 s.");

    private Samples() {}

    /** A contender that is measured to do so many calls per second, with a CPU of 1,000,000 divided by it. */
    static Measurement measured(String contender, double throughput) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        figures.put(Metric.THROUGHPUT, throughput);
        figures.put(Metric.P50, 5_000_000 / throughput);
        figures.put(Metric.P99, 10_000_000 / throughput);
        figures.put(Metric.P999, 50_000_000 / throughput);
        figures.put(Metric.CLIENT_CPU, 750_000 / throughput);
        figures.put(Metric.SERVER_CPU, 250_000 / throughput);
        figures.put(Metric.ALLOCATED, 100_000_000 / throughput);
        return new Measurement(contender, GET, figures);
    }

    static Measurement onlyThroughput(String contender, double throughput) {
        return new Measurement(contender, GET, Map.of(Metric.THROUGHPUT, throughput));
    }

    static Comparison compared(Measurement... measurements) {
        List<Comparison> comparisons = Comparison.of(List.of(measurements));
        return comparisons.get(0);
    }
}

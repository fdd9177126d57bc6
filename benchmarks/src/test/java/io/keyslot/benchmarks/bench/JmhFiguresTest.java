// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.measure.CostProfiler;
import io.keyslot.benchmarks.report.Metric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.ThroughputResult;

class JmhFiguresTest {
    @Test
    void metrics_haveTheLabelsOfTheProfiler() {
        assertThat(Stream.of(Metric.values()).map(Metric::label))
                .contains(
                        CostProfiler.P50,
                        CostProfiler.P99,
                        CostProfiler.P999,
                        CostProfiler.CPU_CLIENT,
                        CostProfiler.CPU_SERVER,
                        CostProfiler.ALLOCATED);
    }

    @Test
    void figures_areTheScoreAndWhatTheProfilerHasAdded() {
        IterationResult iteration = new IterationResult(null, null, null);
        iteration.addResult(new ThroughputResult(ResultRole.PRIMARY, "get", 500, 500_000_000, TimeUnit.SECONDS));
        iteration.addResult(new ScalarResult(CostProfiler.P99, 12.5, "us", AggregationPolicy.AVG));
        iteration.addResult(new ScalarResult(CostProfiler.CPU_SERVER, Double.NaN, "us/op", AggregationPolicy.AVG));
        iteration.addResult(new ScalarResult("something else", 1, "us", AggregationPolicy.AVG));

        assertThat(JmhFigures.of(new RunResult(null, List.of(new BenchmarkResult(null, List.of(iteration))))))
                .isEqualTo(Map.of(Metric.THROUGHPUT, 1_000.0, Metric.P99, 12.5));
    }
}

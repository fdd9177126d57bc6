// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import io.keyslot.client.concurrent.LatencyHistogram;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports the costs of an operation as secondary results of a JMH benchmark: {@value #CPU_CLIENT} and
 * {@value #CPU_SERVER} in microseconds, {@value #ALLOCATED} in bytes, over all threads of the process; and the
 * latencies that the benchmark recorded, as {@value #P50}, {@value #P99} and {@value #P999} in microseconds. A
 * benchmark with its own figures, such as {@link Duel}, gets those instead.
 *
 * <p>Unknown figures are left out: the servers' CPU without {@code /proc}, latencies that were not recorded.
 * Allocations of threads that ended within the iteration are missing.
 */
public final class CostProfiler implements InternalProfiler {
    public static final String CPU_CLIENT = "cpu.client";
    public static final String CPU_SERVER = "cpu.server";
    public static final String ALLOCATED = "alloc";
    public static final String P50 = "p50";
    public static final String P99 = "p99";
    public static final String P999 = "p99.9";

    private static final double NANOS_PER_MICRO = 1_000;

    @Override
    public String getDescription() {
        return "CPU of client and servers, allocated bytes, and latencies of each operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        RunningTrial.beginIteration();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Map<String, RunningTrial.Figure> own = RunningTrial.figures();
        if (!own.isEmpty()) {
            return own.entrySet().stream()
                    .map(figure -> average(
                            figure.getKey(),
                            figure.getValue().value(),
                            figure.getValue().unit()))
                    .toList();
        }
        List<ScalarResult> costs = new ArrayList<>();
        double operations = result.getMetadata().getAllOps();
        if (operations > 0) {
            addSpent(costs, RunningTrial.spent(), operations);
        }
        LatencyHistogram latencies = RunningTrial.latencies();
        if (latencies.count() > 0) {
            addLatencies(costs, latencies);
        }
        return costs;
    }

    private static void addSpent(List<ScalarResult> costs, CostReading spent, double operations) {
        costs.add(average(CPU_CLIENT, spent.clientNanos() / operations / NANOS_PER_MICRO, "us/op"));
        if (RunningTrial.hasServers()) {
            costs.add(average(CPU_SERVER, spent.serverNanos() / operations / NANOS_PER_MICRO, "us/op"));
        }
        costs.add(average(ALLOCATED, spent.allocatedBytes() / operations, "B/op"));
    }

    private static void addLatencies(List<ScalarResult> costs, LatencyHistogram latencies) {
        costs.add(average(P50, latencies.percentile(0.5) / NANOS_PER_MICRO, "us"));
        costs.add(average(P99, latencies.percentile(0.99) / NANOS_PER_MICRO, "us"));
        costs.add(average(P999, latencies.percentile(0.999) / NANOS_PER_MICRO, "us"));
    }

    private static ScalarResult average(String name, double value, String unit) {
        return new ScalarResult(name, value, unit, AggregationPolicy.AVG);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports what an operation costs besides time, as secondary results of a JMH benchmark: {@value #CPU_CLIENT} and {@value
 * #CPU_SERVER} in microseconds, {@value #ALLOCATED} in bytes, all threads of the process included; and the latencies that
 * the benchmark itself recorded, as {@value #P50}, {@value #P99} and {@value #P999} in microseconds.
 *
 * <p>What is not known is left out: the servers' CPU where there is no {@code /proc}, latencies where none were recorded. What
 * threads allocated that ended within the iteration is missing.
 */
public final class CostProfiler implements InternalProfiler {
    public static final String CPU_CLIENT = "cpu.client";
    public static final String CPU_SERVER = "cpu.server";
    public static final String ALLOCATED = "alloc";
    public static final String P50 = "p50";
    public static final String P99 = "p99";
    public static final String P999 = "p99.9";

    private static final double NANOS_PER_MICRO = 1_000;

    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private long clientNanos;
    private long serverNanos;
    private long allocatedBytes;

    @Override
    public String getDescription() {
        return "CPU of client and servers, allocated bytes, and latencies of each operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        RunningTrial.takeLatencies();
        allocatedBytes = allocatedBytes();
        serverNanos = serverNanos();
        clientNanos = process.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long client = process.getProcessCpuTime() - clientNanos;
        long server = serverNanos() - serverNanos;
        long allocated = allocatedBytes() - allocatedBytes;
        List<ScalarResult> costs = new ArrayList<>();
        double operations = result.getMetadata().getAllOps();
        if (operations > 0) {
            costs.add(average(CPU_CLIENT, client / operations / NANOS_PER_MICRO, "us/op"));
            if (isServerCpuKnown()) {
                costs.add(average(CPU_SERVER, server / operations / NANOS_PER_MICRO, "us/op"));
            }
            costs.add(average(ALLOCATED, allocated / operations, "B/op"));
        }
        LatencyHistogram latencies = RunningTrial.takeLatencies();
        if (latencies.count() > 0) {
            costs.add(average(P50, latencies.percentile(50) / NANOS_PER_MICRO, "us"));
            costs.add(average(P99, latencies.percentile(99) / NANOS_PER_MICRO, "us"));
            costs.add(average(P999, latencies.percentile(99.9) / NANOS_PER_MICRO, "us"));
        }
        return costs;
    }

    private static ScalarResult average(String name, double value, String unit) {
        return new ScalarResult(name, value, unit, AggregationPolicy.AVG);
    }

    private static boolean isServerCpuKnown() {
        return ProcessCpu.isKnown() && !RunningTrial.servers().isEmpty();
    }

    private static long serverNanos() {
        return isServerCpuKnown() ? ProcessCpu.nanosOf(RunningTrial.servers()) : 0;
    }

    private long allocatedBytes() {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes); // -1 for a thread that has ended
        }
        return sum;
    }
}

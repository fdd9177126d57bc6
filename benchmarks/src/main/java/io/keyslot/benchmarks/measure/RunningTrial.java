// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import io.keyslot.cluster.measure.LatencyHistogram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@link CostProfiler} must know of the trial that runs in this JVM.
 *
 * <p>It is static because JMH makes the profiler and the benchmark, and lets neither know the other. It reads the meters when
 * the trial begins and ends, because JMH counts the benchmark's preparation to the first iteration, and its end to the last.
 * Safe for use by several threads.
 */
public final class RunningTrial {
    private static final Object LOCK = new Object();
    private static final List<LatencyHistogram> HISTOGRAMS = new ArrayList<>();

    private static final Map<String, Figure> FIGURES = new LinkedHashMap<>();

    private static List<Long> servers = List.of();
    private static CostReading from = CostReading.now(List.of());
    private static @Nullable CostReading to;

    private RunningTrial() {}

    /** Tells that everything is ready, and whose CPU time is the servers'. No thread has a histogram yet. */
    public static void begin(List<Long> pids) {
        synchronized (LOCK) {
            HISTOGRAMS.clear();
            to = null;
            servers = ProcessCpu.isKnown() ? List.copyOf(pids) : List.of();
            beginIteration();
        }
    }

    /** Returns a histogram for one thread of the benchmark. */
    public static LatencyHistogram histogram() {
        synchronized (LOCK) {
            LatencyHistogram histogram = new LatencyHistogram();
            HISTOGRAMS.add(histogram);
            return histogram;
        }
    }

    /** Adds a figure of the benchmark's own to the results of this iteration. */
    static void report(String name, double value, String unit) {
        synchronized (LOCK) {
            FIGURES.put(name, new Figure(value, unit));
        }
    }

    /** Tells that the threads have done their last operation, and that contender and servers still run. */
    public static void end() {
        synchronized (LOCK) {
            to = CostReading.now(servers);
        }
    }

    /** Begins anew. No thread records latencies meanwhile. */
    static void beginIteration() {
        synchronized (LOCK) {
            HISTOGRAMS.forEach(LatencyHistogram::clear);
            FIGURES.clear();
            if (to != null) {
                servers = List.of(); // those of the trial before, which have ended
                to = null;
            }
            from = CostReading.now(servers);
        }
    }

    /** Returns what was spent in this iteration, by whomever. */
    static CostReading spent() {
        synchronized (LOCK) {
            CostReading last = to == null ? CostReading.now(servers) : to;
            return last.since(from);
        }
    }

    /** Returns whether it is known what servers have spent. */
    static boolean hasServers() {
        synchronized (LOCK) {
            return !servers.isEmpty();
        }
    }

    /** Returns the figures of the benchmark's own. */
    static Map<String, Figure> figures() {
        synchronized (LOCK) {
            return new LinkedHashMap<>(FIGURES);
        }
    }

    /** Returns the latencies of all threads in this iteration. */
    static LatencyHistogram latencies() {
        synchronized (LOCK) {
            LatencyHistogram all = new LatencyHistogram();
            HISTOGRAMS.forEach(all::add);
            return all;
        }
    }

    /** A number and what it counts. */
    record Figure(double value, String unit) {}
}

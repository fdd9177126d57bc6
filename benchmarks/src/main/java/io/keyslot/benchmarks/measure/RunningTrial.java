// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import io.keyslot.client.concurrent.LatencyHistogram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of the running trial for {@link CostProfiler}. Static, because JMH creates the profiler and the benchmark
 * independently. Reads the meters when the trial begins and ends, because JMH includes the benchmark's setup in the
 * first iteration and its teardown in the last. Safe for use by several threads.
 */
public final class RunningTrial {
    private static final Object LOCK = new Object();
    private static final List<LatencyHistogram> HISTOGRAMS = new ArrayList<>();

    private static final Map<String, Figure> FIGURES = new LinkedHashMap<>();

    private static List<Long> servers = List.of();
    private static CostReading from = CostReading.now(List.of());
    private static @Nullable CostReading to;

    private RunningTrial() {}

    /** Called when everything is ready, with the process ids of the servers, before the first histogram. */
    public static void begin(List<Long> pids) {
        synchronized (LOCK) {
            HISTOGRAMS.clear();
            to = null;
            servers = ProcessCpu.isKnown() ? List.copyOf(pids) : List.of();
            beginIteration();
        }
    }

    public static LatencyHistogram histogram() {
        synchronized (LOCK) {
            LatencyHistogram histogram = new LatencyHistogram();
            HISTOGRAMS.add(histogram);
            return histogram;
        }
    }

    static void report(String name, double value, String unit) {
        synchronized (LOCK) {
            FIGURES.put(name, new Figure(value, unit));
        }
    }

    /** Called after the last operation, while contender and servers still run. */
    public static void end() {
        synchronized (LOCK) {
            to = CostReading.now(servers);
        }
    }

    /** Starts an iteration. No thread may record latencies meanwhile. */
    static void beginIteration() {
        synchronized (LOCK) {
            HISTOGRAMS.forEach(LatencyHistogram::clear);
            FIGURES.clear();
            if (to != null) {
                servers = List.of(); // those of the previous trial have ended
                to = null;
            }
            from = CostReading.now(servers);
        }
    }

    static CostReading spent() {
        synchronized (LOCK) {
            CostReading last = to == null ? CostReading.now(servers) : to;
            return last.since(from);
        }
    }

    static boolean hasServers() {
        synchronized (LOCK) {
            return !servers.isEmpty();
        }
    }

    static Map<String, Figure> figures() {
        synchronized (LOCK) {
            return new LinkedHashMap<>(FIGURES);
        }
    }

    static LatencyHistogram latencies() {
        synchronized (LOCK) {
            LatencyHistogram all = new LatencyHistogram();
            HISTOGRAMS.forEach(all::add);
            return all;
        }
    }

    record Figure(double value, String unit) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@link CostProfiler} must know of the trial that runs in this JVM. It is static because JMH makes the profiler and the
 * benchmark, and lets neither know the other. Safe for use by several threads.
 */
public final class RunningTrial {
    private static final Object LOCK = new Object();
    private static final List<Long> SERVERS = new ArrayList<>();
    private static final List<LatencyHistogram> HISTOGRAMS = new ArrayList<>();

    private RunningTrial() {}

    /** Tells whose CPU time is the servers'. */
    public static void begin(List<Long> pids) {
        synchronized (LOCK) {
            end();
            SERVERS.addAll(pids);
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

    /** Forgets servers and histograms. */
    public static void end() {
        synchronized (LOCK) {
            SERVERS.clear();
            HISTOGRAMS.clear();
        }
    }

    static List<Long> servers() {
        synchronized (LOCK) {
            return List.copyOf(SERVERS);
        }
    }

    /** Returns the latencies of all threads, which are forgotten; between iterations, when no thread records any. */
    static LatencyHistogram takeLatencies() {
        synchronized (LOCK) {
            LatencyHistogram all = new LatencyHistogram();
            HISTOGRAMS.forEach(histogram -> {
                all.add(histogram);
                histogram.clear();
            });
            return all;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Metric;
import java.util.EnumMap;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** Extracts from a result of JMH its score and the secondary results of the cost profiler. */
final class JmhFigures {
    private JmhFigures() {}

    static Map<Metric, Double> of(RunResult result) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        figures.put(Metric.THROUGHPUT, result.getPrimaryResult().getScore());
        for (Metric metric : Metric.values()) {
            Result<?> secondary = result.getSecondaryResults().get(metric.label());
            if (secondary != null && Double.isFinite(secondary.getScore())) {
                figures.put(metric, secondary.getScore());
            }
        }
        return figures;
    }
}

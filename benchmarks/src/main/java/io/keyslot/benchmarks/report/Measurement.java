// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.benchmarks.workload.Workload;
import java.util.Map;

/** The figures of one contender in one round. The servers' CPU is missing without {@code /proc}. */
public record Measurement(String contender, Workload workload, Map<Metric, Double> figures) {
    public Measurement {
        figures = Map.copyOf(figures);
        if (!figures.containsKey(Metric.THROUGHPUT)) {
            throw new IllegalArgumentException(
                    "Measurement: %s has no throughput of %s".formatted(contender, workload.title()));
        }
    }
}

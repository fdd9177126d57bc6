// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.benchmarks.workload.Workload;
import java.util.Map;

/**
 * What one round measured of one contender.
 *
 * @param figures what could be measured; on a machine without {@code /proc}, not the servers' CPU
 */
public record Measurement(String contender, Workload workload, Map<Metric, Double> figures) {
    public Measurement {
        figures = Map.copyOf(figures);
        if (!figures.containsKey(Metric.THROUGHPUT)) {
            throw new IllegalArgumentException(
                    "Measurement: %s has no throughput of %s".formatted(contender, workload.title()));
        }
    }
}

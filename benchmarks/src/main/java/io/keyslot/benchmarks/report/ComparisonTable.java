// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.List;

/** Formats a comparison for a terminal. */
public final class ComparisonTable {
    /** Printed once, above the tables. */
    public static final String LEGEND =
            "ratio: relative to %s in the same run. p50, p99, p99.9, cpu: microseconds per call."
                    .formatted(Comparison.REFERENCE);

    private ComparisonTable() {}

    /** Returns a heading and a row for each contender, the fastest first. */
    public static List<String> lines(Comparison comparison) {
        Table table = new Table(
                "contender",
                "ops/s",
                "ratio",
                "p50",
                "p99",
                "p99.9",
                "cpu client",
                "cpu server",
                "sum",
                "ratio",
                "B/op",
                "ratio");
        comparison
                .results()
                .forEach(result -> table.row(
                        result.contender(),
                        Figures.whole(result.figure(Metric.THROUGHPUT)),
                        Figures.ratio(comparison.ratio(result, Metric.THROUGHPUT)),
                        Figures.micros(result.figure(Metric.P50)),
                        Figures.micros(result.figure(Metric.P99)),
                        Figures.micros(result.figure(Metric.P999)),
                        Figures.micros(result.figure(Metric.CLIENT_CPU)),
                        Figures.micros(result.figure(Metric.SERVER_CPU)),
                        Figures.micros(result.cpu()),
                        Figures.ratio(comparison.ratio(result, Result::cpu)),
                        Figures.whole(result.figure(Metric.ALLOCATED)),
                        Figures.ratio(comparison.ratio(result, Metric.ALLOCATED))));
        List<String> lines = new ArrayList<>();
        lines.add("== " + comparison.workload().title());
        lines.addAll(table.lines());
        return lines;
    }
}

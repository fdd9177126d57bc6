// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.List;
import java.util.OptionalDouble;

/** All rounds of one contender with one workload; a figure is the median of the rounds. */
public record Result(String contender, List<Measurement> rounds) {
    public Result {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("Result: %s was not measured".formatted(contender));
        }
    }

    /** Returns the median of the rounds with this metric; empty if there was none. */
    public OptionalDouble figure(Metric metric) {
        double[] sorted = rounds.stream()
                .filter(round -> round.figures().containsKey(metric))
                .mapToDouble(round -> round.figures().get(metric))
                .sorted()
                .toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(sorted));
    }

    static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double throughput() {
        return figure(Metric.THROUGHPUT).orElseThrow();
    }

    /** Returns client and servers' CPU together; empty if one of them is missing. */
    public OptionalDouble cpu() {
        OptionalDouble client = figure(Metric.CLIENT_CPU);
        OptionalDouble server = figure(Metric.SERVER_CPU);
        return client.isPresent() && server.isPresent()
                ? OptionalDouble.of(client.getAsDouble() + server.getAsDouble())
                : OptionalDouble.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.report.Measurement;
import io.keyslot.benchmarks.report.Metric;
import io.keyslot.benchmarks.workload.Workload;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A line of a contender's JVM, with a prefix that tells it from the output of libraries. No figures mean a failure. */
record MeasurementLine(Workload workload, Map<Metric, Double> figures) {
    private static final String MARK = "keyslot-measurement";
    private static final String SEPARATOR = "\t";
    private static final String EQUALS = "=";

    MeasurementLine {
        figures = Map.copyOf(figures);
    }

    static Optional<MeasurementLine> parse(String line) {
        List<String> words = List.of(line.split(SEPARATOR, -1));
        if (!words.get(0).equals(MARK)) {
            return Optional.empty();
        }
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        words.stream()
                .skip(2)
                .map(word -> word.split(EQUALS, 2))
                .forEach(pair -> figures.put(Metric.valueOf(pair[0]), Double.valueOf(pair[1])));
        return Optional.of(new MeasurementLine(Workload.parse(words.get(1)), figures));
    }

    /** Returns the measurement; empty if it failed. */
    Optional<Measurement> measurement(String contender) {
        return figures.isEmpty() ? Optional.empty() : Optional.of(new Measurement(contender, workload, figures));
    }

    @Override
    public String toString() {
        String written = Arrays.stream(Metric.values())
                .filter(figures::containsKey)
                .map(metric -> SEPARATOR + metric + EQUALS + figures.get(metric))
                .collect(Collectors.joining());
        return MARK + SEPARATOR + workload + written;
    }
}

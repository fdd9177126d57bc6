// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.benchmarks.workload.Workload;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results of all contenders with one workload, the fastest first, relative to {@link #REFERENCE}. */
public record Comparison(Workload workload, List<Result> results) {
    /** The reference for ratios: the client that an application would write by hand. */
    public static final String REFERENCE = "lettuce-sync";

    public Comparison {
        results = results.stream()
                .sorted(Comparator.comparingDouble(Result::throughput).reversed())
                .toList();
    }

    /** Groups measurements by workload, in the order of their first measurements. */
    public static List<Comparison> of(List<Measurement> measurements) {
        return grouped(measurements, Measurement::workload).entrySet().stream()
                .map(entry -> new Comparison(entry.getKey(), results(entry.getValue())))
                .toList();
    }

    private static List<Result> results(List<Measurement> measurements) {
        return grouped(measurements, Measurement::contender).entrySet().stream()
                .map(entry -> new Result(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static <K> Map<K, List<Measurement>> grouped(List<Measurement> all, Function<Measurement, K> key) {
        return all.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns a figure relative to the reference's; empty if either is missing, or the reference's is 0. */
    public OptionalDouble ratio(Result result, Function<Result, OptionalDouble> figure) {
        OptionalDouble base = resultOfReference().map(figure).orElse(OptionalDouble.empty());
        OptionalDouble own = figure.apply(result);
        return own.isPresent() && base.orElse(0) > 0
                ? OptionalDouble.of(own.getAsDouble() / base.getAsDouble())
                : OptionalDouble.empty();
    }

    public OptionalDouble ratio(Result result, Metric metric) {
        return ratio(result, compared -> compared.figure(metric));
    }

    private Optional<Result> resultOfReference() {
        return results.stream()
                .filter(result -> result.contender().equals(REFERENCE))
                .findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.benchmarks.workload.Workload;
import io.keyslot.client.json.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats a run as JSON: its facts, and for each workload and contender the medians, their ratios, and every round. */
public final class JsonReport {
    private JsonReport() {}

    public static String of(RunFacts facts, List<Comparison> comparisons) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("date", facts.date());
        report.put("command", facts.command());
        report.put("jdk", facts.jdk());
        report.put("system", facts.system());
        report.put("processors", facts.processors());
        report.put("server", facts.server());
        report.put("libraries", facts.libraries());
        report.put("method", facts.method());
        report.put(
                "comparisons", comparisons.stream().map(JsonReport::comparison).toList());
        return json(report) + "\n";
    }

    private static Map<String, Object> comparison(Comparison comparison) {
        Workload workload = comparison.workload();
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("operation", workload.operation().method());
        written.put("value", Workload.name(workload.value()));
        written.put("keys", Workload.name(workload.keys()));
        written.put("threads", workload.threads());
        written.put("reference", Comparison.REFERENCE);
        written.put(
                "contenders",
                comparison.results().stream()
                        .map(result -> result(comparison, result))
                        .toList());
        return written;
    }

    private static Map<String, Object> result(Comparison comparison, Result result) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("contender", result.contender());
        for (Metric metric : Metric.values()) {
            written.put(metric.label(), result.figure(metric));
        }
        written.put("ratio.throughput", comparison.ratio(result, Metric.THROUGHPUT));
        written.put("ratio.cpu", comparison.ratio(result, Result::cpu));
        written.put("ratio.alloc", comparison.ratio(result, Metric.ALLOCATED));
        written.put("rounds", result.rounds().stream().map(JsonReport::round).toList());
        return written;
    }

    private static Map<String, Object> round(Measurement round) {
        Map<String, Object> written = new LinkedHashMap<>();
        for (Metric metric : Metric.values()) {
            Double figure = round.figures().get(metric);
            if (figure != null) {
                written.put(metric.label(), figure);
            }
        }
        return written;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> json(entry.getKey()) + ": " + json(entry.getValue()))
                    .collect(Collectors.joining(",\n", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(JsonReport::json).collect(Collectors.joining(",\n", "[", "]"));
        }
        if (value instanceof OptionalDouble number) {
            return number.isPresent() ? json(number.getAsDouble()) : "null";
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number.toString() : "null";
        }
        return CanonicalJson.write(value);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The results of the demo, to which each step adds. For one thread. */
final class DemoReport {
    private final List<Phase> phases = new ArrayList<>();
    private final List<Share> shares = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private boolean isGood = true;

    record Phase(String name, long sales, Measurements measurements, long loads, Duration time) {}

    record Share(String partition, long slots, long entries) {}

    /** Another result: a number or a duration, null if it did not happen. */
    private record Fact(String name, String text, @Nullable Object value) {}

    /** Adds a phase, in which no call may fail or return a wrong result. */
    void add(Phase phase) {
        phases.add(phase);
        isGood &= phase.measurements().errors() + phase.measurements().wrongAnswers() == 0;
    }

    void add(Share share) {
        shares.add(share);
    }

    void add(String name, String text, @Nullable Object value) {
        facts.add(new Fact(name, text, value));
    }

    void add(String name, String text, long value, long wanted) {
        add(name, text, value);
        isGood &= value == wanted;
    }

    /** Returns whether there were no errors, wrong answers and losses. */
    boolean isGood() {
        return isGood;
    }

    /** Returns the report in lines of at most 80 characters. */
    List<String> lines() {
        Table parts = phases();
        Table partitions = shares();
        Table others = new Table("Found out", "");
        facts.forEach(fact -> others.row(fact.text(), shown(fact.value())));
        List<String> lines = new ArrayList<>();
        for (Table table : List.of(parts, partitions, others)) {
            lines.addAll(table.lines());
            lines.add("");
        }
        phases.stream()
                .map(phase -> phase.measurements().firstError())
                .flatMap(Stream::ofNullable)
                .map(CacheException::getMessage)
                .forEach(message -> lines.add("First error: " + message));
        return lines;
    }

    private Table phases() {
        Table table = new Table(
                "Phase=name",
                "Sales=sales",
                "Calls=calls",
                "Loads=loads",
                "p50 ms",
                "p99 ms",
                "Errors=failed",
                "Wrong=wrong",
                "Time=millis");
        for (Phase phase : phases) {
            Measurements calls = phase.measurements();
            table.row(
                    phase.name(),
                    phase.sales(),
                    calls.latencies().count(),
                    phase.loads(),
                    Amounts.millis(calls.latencies().percentile(0.5)),
                    Amounts.millis(calls.latencies().percentile(0.99)),
                    calls.errors(),
                    calls.wrongAnswers(),
                    shown(phase.time()));
        }
        return table;
    }

    private Table shares() {
        Table table = new Table("Partition=partition", "Slots=slots", "Entries=entries");
        shares.forEach(share -> table.row(share.partition(), share.slots(), share.entries()));
        return table;
    }

    private static Table.Cell shown(@Nullable Object value) {
        if (value instanceof Number number) {
            return new Table.Cell(value, Amounts.count(number.longValue()));
        }
        return value instanceof Duration time
                ? new Table.Cell(time.toMillis(), Amounts.duration(time))
                : new Table.Cell(null, "never");
    }

    String json() {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("isGood", isGood);
        fields.put("phases", phases().documents());
        fields.put("shares", shares().documents());
        facts.forEach(fact -> fields.put(fact.name(), shown(fact.value()).value()));
        return CanonicalJson.write(fields);
    }
}

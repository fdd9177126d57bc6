// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.config.Counted;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Table.Cell;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats a load as tables and as JSON. Pure. */
public final class LoadTables {
    private static final double SECONDS = 60;

    private LoadTables() {}

    public static List<String> lines(SurveyedLoad load, Measure by, int top) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; reports of %s".formatted(load.map().stamp(), Counted.of(load.clients(), "client")));
        lines.add("");
        lines.addAll(partitions(load).lines());
        for (Table table : List.of(slots(load, by, top), named(load, true, by, top), named(load, false, by, top))) {
            if (!table.isEmpty()) {
                lines.add("");
                lines.addAll(table.lines());
            }
        }
        return lines;
    }

    private static Table partitions(SurveyedLoad load) {
        SlotLoad total = load.total();
        Table table = new Table(
                "Partition=partition",
                "State",
                "Slots=slots",
                "Calls/s=callsPerMinute",
                "share",
                "Traffic/s=trafficPerMinute",
                "Keys=keys",
                "Bytes=bytes",
                "share");
        load.byPartition().forEach((name, sum) -> {
            boolean hasCalls = load.isKnown(name, Measure.CALLS);
            boolean hasKeys = load.isKnown(name, Measure.KEYS);
            String traffic = Amounts.mebibytes(Math.round(sum.traffic() / SECONDS));
            table.row(
                    name.name(),
                    hasKeys ? "answers" : "silent",
                    load.map().slots().slotsOf(name).size(),
                    hasCalls ? new Cell(sum.calls(), perSecond(sum.calls())) : null,
                    hasCalls ? share(sum.calls(), total.calls()) : null,
                    hasCalls ? new Cell(sum.traffic(), traffic) : null,
                    hasKeys ? sum.keys() : null,
                    hasKeys ? Cell.bytes(sum.bytes()) : null,
                    hasKeys ? share(sum.bytes(), total.bytes()) : null);
        });
        return table;
    }

    private static Table slots(SurveyedLoad load, Measure by, int top) {
        return table(load, by, "Slot", load.top(by, top));
    }

    private static Table named(SurveyedLoad load, boolean isGroup, Measure by, int top) {
        return table(load, by, isGroup ? "Group" : "Key", load.top(isGroup, by, top));
    }

    private static Table table(SurveyedLoad load, Measure by, String what, List<NamedLoad> most) {
        long total = load.total().by(by);
        Table table = new Table(
                what + "=name",
                "Slot=slot",
                "Partition=partition",
                "Calls/s=callsPerMinute",
                "=trafficPerMinute",
                "Keys=keys",
                "Bytes=bytes",
                "Share of " + by.word());
        for (NamedLoad each : most) {
            SlotLoad amounts = each.load();
            boolean hasKeys = amounts.keys() > 0;
            table.row(
                    each.name(),
                    new Cell(each.slot(), Integer.toString(each.slot())),
                    load.map().ownerOf(each.slot()).map(PartitionId::name).orElse("none"),
                    new Cell(amounts.calls(), amounts.calls() > 0 ? perSecond(amounts.calls()) : "-"),
                    amounts.traffic(),
                    new Cell(amounts.keys(), hasKeys ? Amounts.count(amounts.keys()) : "-"),
                    new Cell(amounts.bytes(), hasKeys ? Amounts.mebibytes(amounts.bytes()) : "-"),
                    share(amounts.by(by), total));
        }
        return table;
    }

    private static String perSecond(long calls) {
        return String.format(Locale.ROOT, "%,.1f", calls / SECONDS);
    }

    private static String share(long part, long all) {
        return all == 0 ? "" : Amounts.percent(Math.min(1, (double) part / all));
    }

    /** Returns the data for JSON: calls and traffic per minute; null for what is unknown of a partition. */
    public static Map<String, Object> json(SurveyedLoad load, Measure by, int top) {
        SlotLoad total = load.total();
        Map<String, Object> all = new HashMap<>(most(load, by, top));
        all.put("map", load.map().stamp().toString());
        all.put("clients", load.clients());
        all.put("by", by.word());
        all.put(
                "total",
                Map.of(
                        "keys", total.keys(),
                        "bytes", total.bytes(),
                        "callsPerMinute", total.calls(),
                        "trafficPerMinute", total.traffic()));
        all.put("partitions", partitions(load).documents());
        all.put("notes", load.remarks());
        return all;
    }

    public static Map<String, Object> most(SurveyedLoad load, Measure by, int top) {
        return Map.of(
                "slots", slots(load, by, top).documents(),
                "groups", named(load, true, by, top).documents(),
                "keys", named(load, false, by, top).documents());
    }
}

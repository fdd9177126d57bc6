// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.config.Counted;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats a load as tables and as JSON. Pure. */
public final class LoadTables {
    private static final double SECONDS = 60;

    private LoadTables() {}

    public static List<String> lines(SurveyedLoad load, Measure by, int top) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; reports of %s".formatted(load.map().stamp(), Counted.of(load.clients(), "client")));
        lines.add("");
        SlotLoad total = load.total();
        Table partitions =
                new Table("Partition", "State", "Slots", "Calls/s", "share", "Traffic/s", "Keys", "Bytes", "share");
        load.byPartition().forEach((name, sum) -> {
            boolean hasCalls = load.isKnown(name, Measure.CALLS);
            boolean hasKeys = load.isKnown(name, Measure.KEYS);
            partitions.row(
                    name.name(),
                    hasKeys ? "answers" : "silent",
                    Amounts.count(load.map().slots().slotsOf(name).size()),
                    orNone(hasCalls, perSecond(sum.calls())),
                    orNone(hasCalls, share(sum.calls(), total.calls())),
                    orNone(hasCalls, Amounts.mebibytes(Math.round(sum.traffic() / SECONDS))),
                    orNone(hasKeys, Amounts.count(sum.keys())),
                    orNone(hasKeys, Amounts.mebibytes(sum.bytes())),
                    orNone(hasKeys, share(sum.bytes(), total.bytes())));
        });
        lines.addAll(partitions.lines());
        add(lines, load, by, "Slot", slots(load, by, top));
        add(lines, load, by, "Group", load.top(true, by, top));
        add(lines, load, by, "Key", load.top(false, by, top));
        return lines;
    }

    private static List<NamedLoad> slots(SurveyedLoad load, Measure by, int top) {
        return load.top(by, top).stream()
                .map(slot -> new NamedLoad(
                        Integer.toString(slot), slot, false, load.slots().getOrDefault(slot, SlotLoad.NONE)))
                .toList();
    }

    private static void add(List<String> lines, SurveyedLoad load, Measure by, String what, List<NamedLoad> most) {
        if (most.isEmpty()) {
            return;
        }
        long total = load.total().by(by);
        Table table = new Table(
                what,
                "Slot",
                "Partition",
                "Calls/s",
                "Keys",
                "Bytes",
                "Share of " + by.name().toLowerCase(Locale.ROOT));
        most.forEach(each -> table.row(
                each.name(),
                Integer.toString(each.slot()),
                ownerOf(load, each.slot()),
                orNone(each.load().calls() > 0, perSecond(each.load().calls())),
                orNone(each.load().keys() > 0, Amounts.count(each.load().keys())),
                orNone(each.load().keys() > 0, Amounts.mebibytes(each.load().bytes())),
                share(each.load().by(by), total)));
        lines.add("");
        lines.addAll(table.lines());
    }

    private static String ownerOf(SurveyedLoad load, int slot) {
        return load.map().ownerOf(slot).map(PartitionId::name).orElse("none");
    }

    private static String orNone(boolean isKnown, String text) {
        return isKnown ? text : "-";
    }

    private static String perSecond(long calls) {
        return String.format(Locale.ROOT, "%,.1f", calls / SECONDS);
    }

    private static String share(long part, long all) {
        return all == 0 ? "" : Amounts.percent(Math.min(1, (double) part / all));
    }

    /** Returns the data for JSON: calls and traffic per minute; null for what is unknown of a partition. */
    public static Map<String, Object> json(SurveyedLoad load, Measure by, int top) {
        List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
        load.byPartition().forEach((name, sum) -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>(amounts(sum));
            if (!load.isKnown(name, Measure.KEYS)) {
                row.put("keys", null);
                row.put("bytes", null);
            }
            if (!load.isKnown(name, Measure.CALLS)) {
                row.put("callsPerMinute", null);
                row.put("trafficPerMinute", null);
            }
            row.put("partition", name.name());
            row.put("slots", load.map().slots().slotsOf(name).size());
            partitions.add(row);
        });
        Map<String, Object> all = new LinkedHashMap<>(most(load, by, top));
        all.put("map", load.map().stamp().toString());
        all.put("clients", load.clients());
        all.put("by", by.name().toLowerCase(Locale.ROOT));
        all.put("total", amounts(load.total()));
        all.put("partitions", partitions);
        all.put("notes", load.remarks());
        return all;
    }

    public static Map<String, Object> most(SurveyedLoad load, Measure by, int top) {
        return Map.of(
                "slots", rows(load, slots(load, by, top)),
                "groups", rows(load, load.top(true, by, top)),
                "keys", rows(load, load.top(false, by, top)));
    }

    private static List<Map<String, Object>> rows(SurveyedLoad load, List<NamedLoad> most) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (NamedLoad each : most) {
            Map<String, Object> row = amounts(each.load());
            row.put("name", each.name());
            row.put("slot", each.slot());
            row.put("partition", ownerOf(load, each.slot()));
            rows.add(row);
        }
        return rows;
    }

    private static Map<String, Object> amounts(SlotLoad load) {
        Map<String, Object> amounts = new LinkedHashMap<>();
        amounts.put("keys", load.keys());
        amounts.put("bytes", load.bytes());
        amounts.put("callsPerMinute", load.calls());
        amounts.put("trafficPerMinute", load.traffic());
        return amounts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.cluster.plan.HotRoot;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a load is told: to people in tables, to programs as JSON. Pure. */
public final class LoadTables {
    private static final double SECONDS = 60;

    private LoadTables() {}

    /** Returns the tables of partitions and of the slots with the most. */
    public static List<String> lines(SurveyedLoad load, Usage by, int top) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; reports of %d clients".formatted(load.map().stamp(), load.clients()));
        lines.add("");
        SlotUse total = load.total();
        Table partitions = new Table("Partition", "Slots", "Calls/s", "share", "Traffic/s", "Keys", "Bytes", "share");
        load.byPartition()
                .forEach((name, use) -> partitions.row(
                        name.name(),
                        Amounts.count(load.map().slots().slotsOf(name).size()),
                        orNone(load.isKnown(name, Usage.CALLS), perSecond(use.calls())),
                        orNone(load.isKnown(name, Usage.CALLS), share(use.calls(), total.calls())),
                        orNone(
                                load.isKnown(name, Usage.TRAFFIC),
                                Amounts.mebibytes(Math.round(use.traffic() / SECONDS))),
                        orNone(load.isKnown(name, Usage.KEYS), Amounts.count(use.keys())),
                        orNone(load.isKnown(name, Usage.BYTES), Amounts.mebibytes(use.bytes())),
                        orNone(load.isKnown(name, Usage.BYTES), share(use.bytes(), total.bytes()))));
        lines.addAll(partitions.lines());
        List<Integer> hottest = load.top(by, top);
        if (!hottest.isEmpty()) {
            lines.add("");
            lines.addAll(slots(load, by, hottest).lines());
        }
        return lines;
    }

    /** Returns the table of some slots. */
    public static Table slots(SurveyedLoad load, Usage by, List<Integer> hottest) {
        long total = by.of(load.total());
        Table table = new Table(
                "Slot",
                "Partition",
                "Calls/s",
                "Traffic/s",
                "Keys",
                "Bytes",
                "Share of " + by.name().toLowerCase(Locale.ROOT),
                "Mostly");
        for (int slot : hottest) {
            SlotUse use = load.slots().getOrDefault(slot, SlotUse.NONE);
            table.row(
                    Integer.toString(slot),
                    load.map().ownerOf(slot).map(PartitionId::name).orElse("nobody"),
                    orNone(load.clients() > 0, perSecond(use.calls())),
                    orNone(load.clients() > 0, Amounts.mebibytes(Math.round(use.traffic() / SECONDS))),
                    Amounts.count(use.keys()),
                    Amounts.mebibytes(use.bytes()),
                    share(by.of(use), total),
                    mostly(load.roots().get(slot), use));
        }
        return table;
    }

    private static String mostly(@Nullable HotRoot root, SlotUse use) {
        return root == null || use.calls() == 0
                ? ""
                : "%s (at least %s)".formatted(root.root(), share(Math.min(root.calls(), use.calls()), use.calls()));
    }

    private static String orNone(boolean isKnown, String text) {
        return isKnown ? text : "-";
    }

    private static String perSecond(long calls) {
        return String.format(Locale.ROOT, "%,.1f", calls / SECONDS);
    }

    private static String share(long part, long all) {
        return all == 0 ? "" : Amounts.percent((double) part / all);
    }

    /** Returns the same as maps and lists: amounts as whole numbers, calls and traffic of a minute; of a partition null if not known. */
    public static Map<String, Object> json(SurveyedLoad load, Usage by, int top) {
        List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
        load.byPartition().forEach((name, use) -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>(amounts(use));
            if (!load.isKnown(name, Usage.KEYS)) {
                row.put("keys", null);
                row.put("bytes", null);
            }
            if (!load.isKnown(name, Usage.CALLS)) {
                row.put("callsPerMinute", null);
                row.put("trafficPerMinute", null);
            }
            row.put("partition", name.name());
            row.put("slots", load.map().slots().slotsOf(name).size());
            partitions.add(row);
        });
        List<Map<String, Object>> slots = new ArrayList<>();
        load.top(by, top).forEach(slot -> slots.add(json(load, slot)));
        return Map.of(
                "map", load.map().stamp().toString(),
                "clients", load.clients(),
                "by", by.name().toLowerCase(Locale.ROOT),
                "total", amounts(load.total()),
                "partitions", partitions,
                "slots", slots,
                "notes", load.remarks());
    }

    /** Returns what is known of a slot. */
    public static Map<String, Object> json(SurveyedLoad load, int slot) {
        Map<String, Object> row = amounts(load.slots().getOrDefault(slot, SlotUse.NONE));
        row.put("slot", slot);
        row.put("partition", load.map().ownerOf(slot).map(PartitionId::name).orElse(""));
        HotRoot root = load.roots().get(slot);
        if (root != null) {
            row.put("root", root.root());
            row.put("rootCallsPerMinute", root.calls());
        }
        return row;
    }

    private static Map<String, Object> amounts(SlotUse use) {
        Map<String, Object> amounts = new LinkedHashMap<>();
        amounts.put("keys", use.keys());
        amounts.put("bytes", use.bytes());
        amounts.put("callsPerMinute", use.calls());
        amounts.put("trafficPerMinute", use.traffic());
        return amounts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.cluster.cli.hot.HotTables;
import io.keyslot.cluster.load.CacheTables;
import io.keyslot.cluster.load.HotLoad;
import io.keyslot.cluster.load.LoadTables;
import io.keyslot.cluster.load.SlotUse;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.load.Usage;
import io.keyslot.cluster.survey.CounterRates;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How what is asked for is shown: to people as tables, to programs as JSON. Pure. */
final class TopTables {
    private static final double SECONDS = 60;
    private static final String NONE = "-";

    private TopTables() {}

    static List<String> lines(SurveyedLoad load, Map<PartitionId, CounterRates> rates, int top) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; reports of %d clients".formatted(load.map().stamp(), load.clients()));
        lines.add("");
        Table partitions = new Table(
                "Partition", "Slots", "Calls/s", "Commands/s", "Found/s", "Missed/s", "Found of all", "Evicted/s");
        load.byPartition().forEach((name, use) -> partitions.row(row(load, name, use, rates.get(name))));
        lines.addAll(partitions.lines());
        if (!load.caches().caches().isEmpty()) {
            lines.add("");
            lines.addAll(CacheTables.table(load.caches().caches()).lines());
        }
        List<Integer> slots = load.top(Usage.CALLS, top);
        if (!slots.isEmpty()) {
            lines.add("");
            lines.addAll(LoadTables.slots(load, Usage.CALLS, slots).lines());
        }
        List<HotLoad> keys = load.hot().top("", top);
        if (!keys.isEmpty()) {
            lines.add("");
            lines.addAll(HotTables.table(load, keys).lines());
        }
        return lines;
    }

    private static String[] row(SurveyedLoad load, PartitionId name, SlotUse use, @Nullable CounterRates rates) {
        return new String[] {
            name.name(),
            Amounts.count(load.map().slots().slotsOf(name).size()),
            load.known().reports().contains(name) && load.clients() > 0 ? rate(use.calls() / SECONDS) : NONE,
            rates == null ? NONE : rate(rates.commands()),
            rates == null ? NONE : rate(rates.found()),
            rates == null ? NONE : rate(rates.missed()),
            rates == null ? NONE : rates.hitRatio().map(Amounts::percent).orElse(NONE),
            rates == null ? NONE : rate(rates.evicted())
        };
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.1f", perSecond);
    }

    /** Returns the same: amounts as whole numbers, of a minute; what is not known is null. */
    static Map<String, @Nullable Object> json(
            SurveyedLoad load, Map<PartitionId, CounterRates> rates, int top, List<String> notes) {
        List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
        load.byPartition().forEach((name, use) -> {
            CounterRates rate = rates.get(name);
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("partition", name.name());
            row.put("slots", load.map().slots().slotsOf(name).size());
            row.put("callsPerMinute", load.known().reports().contains(name) ? use.calls() : null);
            row.put("commandsPerMinute", rate == null ? null : perMinute(rate.commands()));
            row.put("foundPerMinute", rate == null ? null : perMinute(rate.found()));
            row.put("missedPerMinute", rate == null ? null : perMinute(rate.missed()));
            row.put(
                    "owedDeletions",
                    load.caches().clients() == 0 ? null : load.caches().owedTo(name));
            row.put("evictedPerMinute", rate == null ? null : perMinute(rate.evicted()));
            row.put("expiredPerMinute", rate == null ? null : perMinute(rate.expired()));
            partitions.add(row);
        });
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("map", load.map().stamp().toString());
        all.put("clients", load.clients());
        all.put("partitions", partitions);
        all.put("caches", CacheTables.rows(load.caches()));
        all.put("brokenLinks", load.caches().brokenLinks());
        all.put(
                "slots",
                load.top(Usage.CALLS, top).stream()
                        .map(slot -> LoadTables.json(load, slot))
                        .toList());
        all.put("keys", HotTables.rows(load, load.hot().top("", top)));
        all.put("notes", notes);
        return all;
    }

    private static long perMinute(double perSecond) {
        return Math.round(perSecond * SECONDS);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.hot;

import io.keyslot.cluster.load.HotLoad;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How hot keys are told: to people as a table, to programs as JSON. Pure. */
public final class HotTables {
    private static final double SECONDS = 60;

    private HotTables() {}

    static List<String> lines(SurveyedLoad load, List<HotLoad> keys) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; reports of %d clients".formatted(load.map().stamp(), load.clients()));
        if (!keys.isEmpty()) {
            lines.add("");
            lines.addAll(table(load, keys).lines());
        }
        return lines;
    }

    /** Returns the table of some keys. */
    public static Table table(SurveyedLoad load, List<HotLoad> keys) {
        Table table = new Table("Key", "Cache", "Reads/s", "+-", "Share of cache", "Clients", "Slot", "Partition");
        keys.forEach(key -> table.row(
                key.key(),
                key.cache(),
                perSecond(key.reads()),
                perSecond(key.error()),
                share(key.reads(), load.hot().readsOfCacheOf(key)),
                Amounts.count(key.clients()),
                Integer.toString(key.slot()),
                ownerOf(load, key)));
        return table;
    }

    private static String ownerOf(SurveyedLoad load, HotLoad key) {
        return load.map().ownerOf(key.slot()).map(PartitionId::name).orElse("nobody");
    }

    private static String perSecond(long reads) {
        return String.format(Locale.ROOT, "%,.1f", reads / SECONDS);
    }

    private static String share(long part, long all) {
        return all == 0 ? "" : Amounts.percent(Math.min(1, (double) part / all));
    }

    /** Returns the same as maps and lists: amounts as whole numbers, of a minute. */
    static Map<String, Object> json(SurveyedLoad load, List<HotLoad> keys) {
        return Map.of(
                "map", load.map().stamp().toString(),
                "clients", load.clients(),
                "keys", rows(load, keys),
                "notes", load.remarks());
    }

    /** Returns what is known of some keys. */
    public static List<Map<String, Object>> rows(SurveyedLoad load, List<HotLoad> keys) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (HotLoad key : keys) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("cache", key.cache());
            row.put("key", key.key());
            row.put("readsPerMinute", key.reads());
            row.put("errorPerMinute", key.error());
            row.put("readsOfCachePerMinute", load.hot().readsOfCacheOf(key));
            row.put("clients", key.clients());
            row.put("slot", key.slot());
            row.put("partition", ownerOf(load, key));
            rows.add(row);
        }
        return rows;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.cluster.cli.hot.HotTables;
import io.keyslot.cluster.load.CacheTables;
import io.keyslot.cluster.load.CacheUse;
import io.keyslot.cluster.load.HotLoad;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.survey.SeenCache;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How what is stored of a cache is shown: to people as tables, to programs as JSON. Pure. */
final class StatsTables {
    private static final int MOST_KEYS = 5;
    private static final String NONE = "-";

    private StatsTables() {}

    static List<String> lines(String cache, SeenCache seen, SurveyedLoad load) {
        SeenCache.Stored total = seen.total();
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; cache %s".formatted(load.map().stamp(), cache));
        lines.add("");
        Table table = new Table("Partition", "Entries", "Bytes", "Bytes of one", "Share of bytes");
        load.map()
                .askedPartitions()
                .forEach(partition ->
                        row(table, partition.name().name(), seen.partitions().get(partition.name()), total));
        row(table, seen.isComplete() ? "all" : "all that answer", total, total);
        lines.addAll(table.lines());
        SeenCache.Largest largest = seen.largest();
        if (largest != null) {
            lines.add("");
            lines.add("The largest entry seen: %s, %s bytes".formatted(largest.key(), Amounts.count(largest.bytes())));
        }
        CacheUse use = load.caches().caches().get(cache);
        if (use != null) {
            lines.add("");
            lines.addAll(CacheTables.table(Map.of(cache, use)).lines());
        }
        List<HotLoad> keys = load.hot().top(cache, MOST_KEYS);
        if (!keys.isEmpty()) {
            lines.add("");
            lines.addAll(HotTables.table(load, keys).lines());
        }
        return lines;
    }

    private static void row(Table table, String name, SeenCache.@Nullable Stored stored, SeenCache.Stored total) {
        if (stored == null) {
            table.row(name, NONE, NONE, NONE, NONE);
            return;
        }
        table.row(
                name,
                Amounts.count(stored.entries()),
                Amounts.mebibytes(stored.bytes()),
                stored.entries() == 0 ? NONE : Amounts.count(stored.bytes() / stored.entries()),
                total.bytes() == 0 ? NONE : Amounts.percent((double) stored.bytes() / total.bytes()));
    }

    /** Returns the same; what is not known is null. */
    static Map<String, @Nullable Object> json(String cache, SeenCache seen, SurveyedLoad load, List<String> notes) {
        List<Map<String, Object>> partitions = new ArrayList<>();
        seen.partitions()
                .forEach((name, stored) -> partitions.add(
                        Map.of("partition", name.name(), "entries", stored.entries(), "bytes", stored.bytes())));
        SeenCache.Largest largest = seen.largest();
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("map", load.map().stamp().toString());
        all.put("cache", cache);
        all.put("entries", seen.isComplete() ? seen.total().entries() : null);
        all.put("bytes", seen.isComplete() ? seen.total().bytes() : null);
        all.put("largest", largest == null ? null : Map.of("key", largest.key(), "bytes", largest.bytes()));
        all.put("partitions", partitions);
        CacheUse use = load.caches().caches().get(cache);
        all.put("calls", use == null ? null : CacheTables.row(cache, use));
        all.put("readsPerMinute", load.hot().ofCaches().get(cache));
        all.put("keys", HotTables.rows(load, load.hot().top(cache, MOST_KEYS)));
        all.put("notes", notes);
        return all;
    }
}

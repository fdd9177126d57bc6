// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.cache.MissCause;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How is told what clients have told of caches: to people in a table, to programs as JSON. Pure. */
public final class CacheTables {
    private static final double SECONDS = 60;
    private static final String NONE = "-";

    private CacheTables() {}

    /** Returns the table of some caches. */
    public static Table table(Map<String, CacheUse> caches) {
        Table table = new Table(
                "Cache",
                "Hits/s",
                "Misses/s",
                "Hits of all",
                "Loads/s",
                "Failed/s",
                "Near hits/s",
                "Copies",
                "Misses by cause");
        caches.forEach((name, use) -> table.row(
                name,
                rate(use.hits()),
                rate(use.misses()),
                use.hitRatio().isPresent() ? Amounts.percent(use.hitRatio().getAsDouble()) : NONE,
                rate(use.loads()),
                rate(use.failedLoads()),
                use.near() == null ? NONE : rate(use.near().hits()),
                use.near() == null ? NONE : Amounts.count(use.near().entries()),
                causes(use)));
        return table;
    }

    private static String causes(CacheUse use) {
        return use.causes().entrySet().stream()
                .sorted(Map.Entry.<MissCause, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(cause -> "%s %s".formatted(textOf(cause.getKey()), rate(cause.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String textOf(MissCause cause) {
        return cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String rate(long perMinute) {
        return String.format(Locale.ROOT, "%,.1f", perMinute / SECONDS);
    }

    /** Returns the same of all caches: amounts of a minute. */
    public static List<Map<String, @Nullable Object>> rows(ToldCaches told) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        told.caches().forEach((name, use) -> rows.add(row(name, use)));
        return rows;
    }

    /** Returns the same of one cache; what no client has is null. */
    public static Map<String, @Nullable Object> row(String name, CacheUse use) {
        CacheUse.NearUse near = use.near();
        Map<String, Long> causes = new LinkedHashMap<>();
        for (MissCause cause : MissCause.values()) {
            if (use.causes().containsKey(cause)) {
                causes.put(textOf(cause), use.causes().getOrDefault(cause, 0L));
            }
        }
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("cache", name);
        row.put("clients", use.clients());
        row.put("hitsPerMinute", use.hits());
        row.put("missesPerMinute", use.misses());
        row.put("causesPerMinute", causes);
        row.put("loadsPerMinute", use.loads());
        row.put("failedLoadsPerMinute", use.failedLoads());
        row.put("nearHitsPerMinute", near == null ? null : near.hits());
        row.put("nearEntries", near == null ? null : near.entries());
        row.put("nearStaleMillis", near == null ? null : near.staleMillis());
        return row;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.cluster.cli.ClusterHistory.Figures;
import io.keyslot.cluster.cli.ClusterHistory.Health;
import io.keyslot.cluster.cli.ClusterHistory.Sight;
import io.keyslot.cluster.inspect.LoadTables;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Formats what the page shows as JSON. Times are milliseconds since 1970; what is not known is null. Pure. */
final class PageViews {
    private static final int MOST_ROWS = 20;

    private PageViews() {}

    static Map<String, @Nullable Object> partitions(
            PartitionMap map, Map<PartitionId, Sight> sights, Map<PartitionId, Long> calls, Health health) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (MappedPartition partition : map.partitions()) {
            rows.add(row(map, partition, sights.get(partition.name()), calls.get(partition.name())));
        }
        LongStream answered =
                sights.values().stream().mapToLong(sight -> sight.answered().toEpochMilli());
        Map<String, @Nullable Object> said = new HashMap<>();
        said.put("level", ConstantText.of(health.level()));
        said.put("text", health.text());
        said.put("since", millis(health.since()));
        said.put("cost", health.cost());
        said.put("answered", answered.max().orElse(0));
        return Map.of("map", map.stamp().toString(), "health", said, "rows", rows);
    }

    private static Map<String, @Nullable Object> row(
            PartitionMap map, MappedPartition partition, @Nullable Sight sight, @Nullable Long calls) {
        SlotSet slots = map.slots().slotsOf(partition.name());
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("name", partition.name().name());
        row.put("address", ConstantText.address(partition));
        row.put("membership", ConstantText.of(partition.state()));
        row.put("slots", slots.size());
        row.put("ranges", slots.toString());
        row.put("state", sight == null ? "not used" : ConstantText.of(sight.state()));
        row.put("since", sight == null ? null : millis(sight.since()));
        MemoryUse memory = sight == null ? null : sight.memory();
        if (memory != null) {
            row.put("usedBytes", memory.usedBytes());
            row.put("mostBytes", memory.mostBytes());
            row.put("keys", memory.keys());
            row.put("calls", calls);
            row.put("version", memory.server().version());
            row.put("role", memory.server().role());
            row.put("evicted", memory.server().evictedKeys());
        }
        return row;
    }

    private static @Nullable Long millis(@Nullable Instant at) {
        return at == null ? null : at.toEpochMilli();
    }

    /** Returns the figures by columns, and the caches with their calls per minute. */
    static Map<String, Object> figures(
            List<Figures> figures, List<CacheCalls> caches, int reporting, boolean isComplete) {
        return Map.of(
                "at", column(figures, each -> each.at().toEpochMilli()),
                "calls", column(figures, each -> field(each, CacheCalls::all)),
                "hits", column(figures, each -> field(each, CacheCalls::hits)),
                "misses", column(figures, each -> field(each, CacheCalls::misses)),
                "p99Micros", column(figures, Figures::p99Micros),
                "usedBytes", column(figures, Figures::usedBytes),
                "clients", column(figures, Figures::clients),
                "reporting", reporting,
                "isComplete", isComplete,
                "caches", caches.stream().map(PageViews::row).toList());
    }

    private static Map<String, Object> row(CacheCalls cache) {
        return Map.of(
                "name", cache.name(),
                "hits", cache.hits(),
                "misses", cache.misses(),
                "puts", cache.puts(),
                "removals", cache.removals(),
                "loads", cache.loads());
    }

    private static @Nullable Long field(Figures figures, ToLongFunction<CacheCalls> field) {
        CacheCalls calls = figures.calls();
        return calls == null ? null : field.applyAsLong(calls);
    }

    private static List<@Nullable Long> column(List<Figures> figures, Function<Figures, @Nullable Long> field) {
        List<@Nullable Long> column = new ArrayList<>();
        figures.forEach(each -> column.add(field.apply(each)));
        return column;
    }

    static Map<String, Object> events(List<ClusterHistory.Event> events) {
        return Map.of(
                "rows",
                events.stream()
                        .map(event -> Map.of("at", event.at().toEpochMilli(), "text", event.text()))
                        .toList());
    }

    static Map<String, Object> moves(List<MoveReport> reports) {
        return Map.of("rows", reports.stream().map(PageViews::row).toList());
    }

    private static Map<String, @Nullable Object> row(MoveReport report) {
        Map<String, @Nullable Object> row = MoveText.json(report);
        row.put("hints", MoveText.hints(report));
        return row;
    }

    /** Returns the survey without keys of applications. */
    static Map<String, Object> survey(SurveyedLoad load, Instant at) {
        return Map.of(
                "at", at.toEpochMilli(),
                "keys", load.total().keys(),
                "notes", load.remarks());
    }

    static Map<String, Object> heat(SurveyedLoad load, Measure measure) {
        List<Long> amounts = IntStream.range(0, HashSlot.COUNT)
                .mapToObj(slot -> load.slots().getOrDefault(slot, SlotLoad.NONE).by(measure))
                .toList();
        return Map.of("by", measure.word(), "slots", amounts);
    }

    /** Returns the groups and keys with the highest load, for viewers with the token only. */
    static Map<String, Object> hot(SurveyedLoad load) {
        return Map.of(
                "calls", LoadTables.most(load, Measure.CALLS, MOST_ROWS),
                "bytes", LoadTables.most(load, Measure.BYTES, MOST_ROWS));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats a map, its partitions and its moves for the page. Pure. */
final class MapViews {
    private MapViews() {}

    /** Returns the state of the partitions. {@code doubt} is the reason why a newer map may exist, or empty. */
    static Map<String, Object> partitions(
            PartitionMap map, Map<MappedPartition, Pulse.Heartbeat> heartbeats, String doubt) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (MappedPartition partition : map.partitions()) {
            rows.add(row(map, partition, heartbeats.get(partition)));
        }
        return Map.of("map", map.stamp().toString(), "doubt", doubt, "rows", rows);
    }

    private static Map<String, @Nullable Object> row(
            PartitionMap map, MappedPartition partition, Pulse.@Nullable Heartbeat heartbeat) {
        SlotSet slots = map.slots().slotsOf(partition.name());
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("name", partition.name().name());
        row.put("address", ConstantText.address(partition));
        row.put("membership", ConstantText.of(partition.state()));
        row.put("weight", partition.weight());
        row.put("slots", slots.size());
        row.put("ranges", slots.toString());
        MemoryUse memory = heartbeat == null ? null : heartbeat.memory();
        row.put("state", heartbeat == null ? "not asked" : memory == null ? "silent" : "answers");
        if (heartbeat != null) {
            row.put("problem", heartbeat.problem());
            row.put("usedBytes", memory == null ? null : memory.usedBytes());
            row.put("mostBytes", memory == null ? null : memory.mostBytes());
            row.put("keys", memory == null ? null : memory.keys());
        }
        return row;
    }

    static Map<String, Object> moves(List<MoveReport> reports) {
        return Map.of("rows", reports.stream().map(MapViews::row).toList());
    }

    private static Map<String, @Nullable Object> row(MoveReport report) {
        Map<String, @Nullable Object> row = MoveText.json(report);
        row.put("hints", MoveText.hints(report));
        return row;
    }
}

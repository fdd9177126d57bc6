// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.inspect.SeenCluster;
import io.keyslot.cluster.inspect.SeenPartition;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats a cluster as tables and as JSON. Pure. */
final class StatusTables {
    private static final String NONE = "-";

    private StatusTables() {}

    static List<String> lines(SeenCluster seen) {
        List<String> lines = new ArrayList<>();
        long answering =
                seen.partitions().stream().filter(SeenPartition::answers).count();
        long asked = seen.map().askedPartitions().size();
        lines.add("Map %s; %d of %d partitions answer; %s"
                .formatted(
                        seen.map().stamp(),
                        answering,
                        asked,
                        seen.moves().isEmpty()
                                ? "no moves"
                                : Counted.of(seen.moves().size(), "move")));
        lines.add("");
        Table table = new Table(
                "Partition", "Address", "State", "Answer", "Slots", "Keys", "Memory", "Of", "Clients", "Behind");
        seen.partitions().forEach(partition -> row(table, partition));
        lines.addAll(table.lines());
        if (!seen.moves().isEmpty()) {
            lines.add("");
            lines.addAll(MoveText.table(seen.moves()));
            seen.moves().forEach(move -> lines.addAll(MoveText.hints(move)));
        }
        return lines;
    }

    private static void row(Table table, SeenPartition seen) {
        MemoryUse memory = seen.memory();
        SeenPartition.Clients clients = seen.clients();
        table.row(
                seen.partition().name().name(),
                ConstantText.address(seen.partition()),
                state(seen),
                answer(seen),
                Amounts.count(seen.slots()),
                memory == null ? NONE : Amounts.count(memory.keys()),
                memory == null ? NONE : Amounts.mebibytes(memory.usedBytes()),
                memory == null || memory.mostBytes() == 0 ? NONE : Amounts.mebibytes(memory.mostBytes()),
                clients == null ? NONE : Amounts.count(clients.all()),
                clients == null ? NONE : Amounts.count(clients.behind()));
    }

    /** A failure to answer takes precedence over the state in the map. */
    private static String state(SeenPartition seen) {
        String member = ConstantText.of(seen.partition().state());
        if (!seen.partition().isAsked() || seen.answers()) {
            return member;
        }
        return seen.partition().isActive() ? "silent" : member + ", silent";
    }

    private static String answer(SeenPartition seen) {
        return seen.answers() ? Amounts.duration(seen.took()) : NONE;
    }

    static Map<String, @Nullable Object> json(SeenCluster seen) {
        List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
        for (SeenPartition partition : seen.partitions()) {
            MemoryUse memory = partition.memory();
            SeenPartition.Clients clients = partition.clients();
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("partition", partition.partition().name().name());
            row.put("address", ConstantText.address(partition.partition()));
            row.put("state", ConstantText.of(partition.partition().state()));
            row.put("answers", partition.answers());
            row.put("answerMicros", partition.answers() ? partition.took().toNanos() / 1_000 : null);
            row.put("slots", partition.slots());
            row.put("keys", memory == null ? null : memory.keys());
            row.put("usedBytes", memory == null ? null : memory.usedBytes());
            row.put("maximumBytes", memory == null || memory.mostBytes() == 0 ? null : memory.mostBytes());
            row.put("clients", clients == null ? null : clients.all());
            row.put("clientsBehind", clients == null ? null : clients.behind());
            row.put("problem", partition.problem().isEmpty() ? null : partition.problem());
            partitions.add(row);
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("map", seen.map().stamp().toString());
        all.put("version", seen.map().version());
        all.put("partitions", partitions);
        all.put("moves", seen.moves().stream().map(MoveText::json).toList());
        all.put("notes", seen.notes());
        return all;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class MapWriter {
    /** The hash function of keys without a placement, so that clients with another one do not use the map. */
    static final String HASH = "crc16-xmodem/16384";

    private MapWriter() {}

    static Map<String, @Nullable Object> bodyOf(PartitionMap map) {
        return Map.of(
                "hash", HASH,
                "generation", map.stamp().generation().toString(),
                "version", map.version(),
                "commit", commit(map.commit()),
                "partitions",
                        map.partitions().stream().map(PartitionForm::write).toList(),
                "slots", slots(map),
                "placements",
                        map.content().placements().all().stream()
                                .map(MapWriter::placement)
                                .toList(),
                "moves", map.moves().stream().map(MapWriter::move).toList());
    }

    private static Map<String, Object> commit(MapCommit commit) {
        return Map.of(
                "operation", commit.operation(),
                "actor", commit.actor(),
                "reason", commit.reason(),
                "at", commit.at().toString());
    }

    /** Rows of first and last slot, index of the partition, and ownership number. */
    private static List<List<Integer>> slots(PartitionMap map) {
        Map<Object, Integer> numbers = new HashMap<>();
        map.partitions().forEach(partition -> numbers.put(partition.name(), numbers.size()));
        return map.slots().rows().stream()
                .map(row -> List.of(
                        row.slots().first(),
                        row.slots().last(),
                        numbers.getOrDefault(row.owner(), -1),
                        row.ownership()))
                .toList();
    }

    private static Map<String, @Nullable Object> placement(Placement placement) {
        List<List<@Nullable Object>> list = new ArrayList<>();
        placement.list().forEach((id, target) -> {
            List<@Nullable Object> entry = new ArrayList<>();
            entry.add(id);
            addTarget(target, entry);
            list.add(entry);
        });
        List<List<@Nullable Object>> ranges = new ArrayList<>();
        for (Placement.PlacedRange range : placement.ranges()) {
            List<@Nullable Object> entry = new ArrayList<>();
            entry.add(range.low());
            entry.add(range.high());
            addTarget(range.target(), entry);
            ranges.add(entry);
        }
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("root", placement.rootType());
        fields.put("ranges of", placement.rangeType() == null ? null : word(placement.rangeType()));
        fields.put("list", list);
        fields.put("ranges", ranges);
        fields.put("else", word(placement.otherwise()));
        return fields;
    }

    private static void addTarget(PlacementTarget target, List<@Nullable Object> entry) {
        entry.add(target.first());
        List<SlotSet> shares = target.spread().shares();
        entry.add(
                shares.isEmpty()
                        ? target.spread().count()
                        : shares.stream().map(SlotSet::toString).toList());
        if (!target.labels().isEmpty() || target.isPinned()) {
            entry.add(target.labels());
        }
        if (target.isPinned()) {
            entry.add(true);
        }
    }

    private static Map<String, Object> move(Move move) {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "id", move.id(),
                "from", move.from().name(),
                "to", move.to().name(),
                "slots", move.slots().toString(),
                "committed", move.committed().toString(),
                "phase", word(move.phase()),
                "coordinator",
                        Map.of(
                                "id", move.coordinator().id(),
                                "epoch", move.coordinator().epoch()),
                "bytesPerSecond", move.pace().bytesPerSecond(),
                "share", move.pace().share(),
                "paused", move.pace().isPaused()));
        if (move.drain() != null) {
            fields.put("drainMillis", move.drain().toMillis());
        }
        return fields;
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

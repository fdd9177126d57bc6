// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.client.map.SlotTable;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Gives each active partition hash slots in proportion to its weight, with the fewest moves. Placed slots stay, unless
 * their owner may not have any; pinned ones are only moved by name.
 */
final class EvenShares {
    private final MapContent content;
    private final MoveList moves = new MoveList();

    private EvenShares(MapContent content) {
        this.content = content;
    }

    static List<PlannedMove> moves(MapContent content) {
        EvenShares shares = new EvenShares(content);
        shares.evenHashSlots();
        shares.rescuePlacedSlots();
        return shares.moves.all();
    }

    /** Returns the hash slots of each partition by the largest remainder. Ties favor the present owner. */
    static Map<PartitionId, Integer> targets(MapContent content) {
        List<MappedPartition> active =
                content.partitions().stream().filter(MappedPartition::isActive).toList();
        long total = active.stream().mapToLong(MappedPartition::weight).sum();
        if (total == 0) {
            throw new PlanRefusedException("No active partition would have a weight above 0, so no hash slot an owner");
        }
        Map<PartitionId, Integer> targets = new LinkedHashMap<>();
        content.partitions().forEach(partition -> targets.put(partition.name(), 0));
        active.forEach(
                partition -> targets.put(partition.name(), (int) (HashSlot.COUNT * (long) partition.weight() / total)));
        Map<PartitionId, Integer> shares = Map.copyOf(targets);
        int left = HashSlot.COUNT
                - targets.values().stream().mapToInt(Integer::intValue).sum();
        active.stream()
                .sorted(Comparator.<MappedPartition>comparingLong(
                                partition -> -(HashSlot.COUNT * (long) partition.weight() % total))
                        .thenComparing(partition ->
                                hashSlots(content, partition).size() <= shares.getOrDefault(partition.name(), 0)))
                .limit(left)
                .forEach(partition -> targets.merge(partition.name(), 1, Integer::sum));
        return targets;
    }

    private static SlotSet hashSlots(MapContent content, MappedPartition partition) {
        return content.slots().slotsOf(partition.name()).and(SlotTable.HASH_SLOTS);
    }

    private void evenHashSlots() {
        Map<PartitionId, Integer> targets = targets(content);
        Map<PartitionId, Integer> missing = new LinkedHashMap<>();
        Map<PartitionId, SlotSet> surplus = new LinkedHashMap<>();
        for (MappedPartition partition : content.partitions()) {
            SlotSet present = hashSlots(content, partition);
            int more = present.size() - targets.getOrDefault(partition.name(), 0);
            if (more > 0) {
                surplus.put(partition.name(), present.highest(more));
            } else if (more < 0) {
                missing.put(partition.name(), -more);
            }
        }
        byLargest(surplus, SlotSet::size).forEach(giver -> {
            SlotSet left = surplus.getOrDefault(giver, SlotSet.none());
            for (PartitionId taker : byLargest(missing, Integer::intValue)) {
                int wanted = missing.getOrDefault(taker, 0);
                SlotSet given = left.highest(Math.min(wanted, left.size()));
                moves.add(giver, taker, given);
                missing.put(taker, wanted - given.size());
                left = left.minus(given);
            }
        });
    }

    private static <T> List<PartitionId> byLargest(Map<PartitionId, T> sizes, ToIntFunction<T> size) {
        List<Map.Entry<PartitionId, T>> sorted = new ArrayList<>(sizes.entrySet());
        sorted.sort(Comparator.comparingInt(entry -> -size.applyAsInt(entry.getValue())));
        return sorted.stream().map(Map.Entry::getKey).toList();
    }

    private void rescuePlacedSlots() {
        Map<PartitionId, Integer> counts = new LinkedHashMap<>();
        for (MappedPartition partition : content.partitions()) {
            SlotSet placed = content.slots().slotsOf(partition.name()).minus(SlotTable.HASH_SLOTS);
            counts.put(partition.name(), placed.size());
        }
        content.placements()
                .targets()
                .forEach(target -> target.slots().stream().forEach(slot -> {
                    PartitionId owner = content.slots().ownerOf(slot).orElseThrow();
                    boolean stays = content.partition(owner).stream().anyMatch(MappedPartition::isActive);
                    if (!stays && target.isPinned()) {
                        throw new PlanRefusedException(
                                "Slots %s of %s are pinned. Move them first: keyslot plan move %s --to NAME"
                                        .formatted(target.slots(), owner, target.slots()));
                    }
                    if (!stays) {
                        PartitionId next = leastOf(counts, target);
                        counts.merge(next, 1, Integer::sum);
                        moves.add(owner, next, SlotSet.of(slot));
                    }
                }));
    }

    private PartitionId leastOf(Map<PartitionId, Integer> counts, PlacementTarget target) {
        SlotSet pinned = content.placements().pinned();
        return content.partitions().stream()
                .filter(partition -> partition.isActive() && partition.has(target.labels()))
                .filter(partition ->
                        content.slots().slotsOf(partition.name()).and(pinned).isEmpty())
                .min(Comparator.comparingDouble(
                        partition -> (double) counts.getOrDefault(partition.name(), 0) / partition.weight()))
                .map(MappedPartition::name)
                .orElseThrow(() -> new PlanRefusedException(
                        "Slots %s need an active partition with labels %s and without pinned entries. Move them first:"
                                        .formatted(target.slots(), target.labels())
                                + " keyslot plan move %s --to NAME".formatted(target.slots())));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects moves, one for each pair of partitions, in the order of their first slots. For one thread. */
final class MoveList {
    private final Map<List<PartitionId>, List<SlotSet>> pairs = new LinkedHashMap<>();

    void add(PartitionId from, PartitionId to, SlotSet slots) {
        if (!slots.isEmpty()) {
            pairs.computeIfAbsent(List.of(from, to), pair -> new ArrayList<>()).add(slots);
        }
    }

    List<PlannedMove> all() {
        List<PlannedMove> moves = new ArrayList<>();
        pairs.forEach((pair, slots) -> moves.add(new PlannedMove(
                pair.get(0), pair.get(1), SlotSet.of(slots.stream().flatMapToInt(SlotSet::stream)))));
        return moves;
    }
}

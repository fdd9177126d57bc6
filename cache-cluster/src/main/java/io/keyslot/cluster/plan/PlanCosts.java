// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The costs and warnings of a plan. */
record PlanCosts(
        PartitionMap before,
        PlanFacts facts,
        PartitionMap after,
        @Nullable Measure measure) {
    Plan plan(String request, PlanSteps steps, List<PlannedMove> moves, PlanSteps back) {
        Map<PartitionId, Long> change = new HashMap<>();
        long bytes = 0;
        for (PlannedMove move : moves) {
            int slots = before.slots().slotsOf(move.from()).size();
            long moved = facts.bytes(move.slots(), move.from(), slots);
            change.merge(move.from(), -moved, Long::sum);
            change.merge(move.to(), moved, Long::sum);
            bytes += moved;
        }
        List<PlanShare> shares = new ArrayList<>();
        for (MappedPartition partition : after.partitions()) {
            PartitionId name = partition.name();
            SlotSet owned = before.slots().slotsOf(name);
            long present = facts.bytes(owned, name, owned.size());
            SlotSet then = after.slots().slotsOf(name);
            shares.add(new PlanShare(
                    name,
                    owned.size(),
                    then.size(),
                    present,
                    present + change.getOrDefault(name, 0L),
                    measure == null ? 0 : facts.load(owned, measure),
                    measure == null ? 0 : facts.load(then, measure)));
        }
        return new Plan(before.stamp(), request, steps, moves, back, shares, bytes, warnings(moves, change));
    }

    private List<String> warnings(List<PlannedMove> moves, Map<PartitionId, Long> change) {
        List<String> warnings = new ArrayList<>();
        moves.stream().map(PlannedMove::to).distinct().forEach(to -> {
            PlanFacts.Memory memory = facts.memory().get(to);
            if (memory != null && memory.limit() > 0) {
                double full = (double) (memory.used() + change.getOrDefault(to, 0L)) / memory.limit();
                if (full > Planner.FULL) {
                    warnings.add(String.format(
                            Locale.ROOT,
                            "%s would use %.0f %% of its memory, which is more than %.0f %%",
                            to,
                            100 * full,
                            100 * Planner.FULL));
                }
            }
        });
        return warnings;
    }
}

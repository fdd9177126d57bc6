// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The planned changes of a map and their cost. Equal requests for equal maps with equal facts have equal plans, to the
 * byte. A plan is refused for any map other than {@code base}. {@code bytes} are 0 if unknown; warnings are sentences
 * without a period.
 */
public record Plan(
        MapStamp base,
        String request,
        PlanSteps steps,
        List<PlannedMove> moves,
        PlanSteps back,
        List<PlanShare> shares,
        long bytes,
        List<String> warnings) {
    public Plan {
        moves = List.copyOf(moves);
        shares = List.copyOf(shares);
        warnings = List.copyOf(warnings);
    }

    Plan warning(List<String> more) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(more);
        return new Plan(base, request, steps, moves, back, shares, bytes, all);
    }

    public boolean isEmpty() {
        return moves.isEmpty() && steps.first().isEmpty() && steps.last().isEmpty();
    }

    /** Returns a name that depends on the whole plan. */
    public String id() {
        return "p-" + PlanDocument.sumOf(this).substring(0, 8);
    }

    public int movedSlots() {
        return moves.stream().mapToInt(move -> move.slots().size()).sum();
    }

    /** Returns the time for copying, one move after another; empty if the amount is unknown. */
    public Optional<Duration> estimate(long bytesPerSecond) {
        return bytes == 0 && !moves.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (bytes * 1000.0 / bytesPerSecond)));
    }

    /** Throws {@code PlanRefusedException} if the plan is for another map. */
    public void requireBase(PartitionMap map) {
        if (!map.stamp().equals(base)) {
            throw new PlanRefusedException(
                    "The plan is for map %s, and the map is %s: plan again".formatted(base, map.stamp()));
        }
    }

    public MapContent begin(MapContent content) {
        return PlanSteps.put(content, steps.first());
    }

    public MapContent end(MapContent content) {
        return PlanSteps.put(content, steps.last());
    }

    /**
     * Returns the plan that undoes this one; {@code applied} is the map after this plan. Throws
     * {@link PlanRefusedException} if slots of this plan are not at its targets, or would go back to a partition that
     * gets no slots.
     */
    public Plan inverse(PartitionMap applied) {
        MapContent begun = PlanSteps.put(applied.content(), back.first());
        for (PlannedMove move : moves) {
            if (begun.partition(move.from()).stream().noneMatch(MappedPartition::isActive)) {
                throw new PlanRefusedException(
                        "The plan cannot be undone: %s is not active, and gets no slots back".formatted(move.from()));
            }
            SlotSet elsewhere = move.slots().minus(applied.slots().slotsOf(move.to()));
            if (!elsewhere.isEmpty()) {
                throw new PlanRefusedException(
                        "The plan cannot be undone: slots %s are not at %s".formatted(elsewhere, move.to()));
            }
        }
        List<PlannedMove> reversed = new ArrayList<>(moves);
        Collections.reverse(reversed);
        return new Plan(
                applied.stamp(),
                "undo " + request,
                back,
                reversed.stream().map(PlannedMove::reversed).toList(),
                steps,
                shares.stream().map(PlanShare::reversed).toList(),
                bytes,
                List.of());
    }
}

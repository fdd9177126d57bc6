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
 * What is to be done to a map, and what that costs. It changes nothing. Equal requests at equal maps with equal facts have
 * equal plans, to the byte.
 *
 * @param base the map that it is for; it is refused for any other
 * @param request what was asked for
 * @param steps what becomes of partitions
 * @param moves which slots move, in the order in which they do
 * @param back the steps of the way back
 * @param shares what each partition has before and after
 * @param bytes what is copied, 0 if that is not known
 * @param warnings what the operator should know, each a sentence without a full stop
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

    /** Returns the same with more warnings. */
    Plan warning(List<String> more) {
        List<String> all = new ArrayList<>(warnings);
        all.addAll(more);
        return new Plan(base, request, steps, moves, back, shares, bytes, all);
    }

    /** Returns whether there is nothing to do. */
    public boolean isEmpty() {
        return moves.isEmpty() && steps.first().isEmpty() && steps.last().isEmpty();
    }

    /** Returns a name that follows from all that it says. */
    public String id() {
        return "p-" + PlanDocument.sumOf(this).substring(0, 8);
    }

    public int movedSlots() {
        return moves.stream().mapToInt(move -> move.slots().size()).sum();
    }

    /** Returns how long it takes to copy what moves, one move after another; empty if nobody knows how much that is. */
    public Optional<Duration> estimate(long bytesPerSecond) {
        return bytes == 0 && !moves.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (bytes * 1000.0 / bytesPerSecond)));
    }

    /**
     * Does nothing if this plan is for that map.
     *
     * @throws PlanRefusedException if it is for another one
     */
    public void requireBase(PartitionMap map) {
        if (!map.stamp().equals(base)) {
            throw new PlanRefusedException(
                    "The plan is for map %s, and the map is %s: plan again".formatted(base, map.stamp()));
        }
    }

    /** Returns the content of the map before the first move. */
    public MapContent begin(MapContent content) {
        return PlanSteps.put(content, steps.first());
    }

    /** Returns the content of the map after the last move. */
    public MapContent end(MapContent content) {
        return PlanSteps.put(content, steps.last());
    }

    /**
     * Returns the plan that undoes this one.
     *
     * @param applied the map that came of it
     * @throws PlanRefusedException if slots that this plan moves are not where it has them go, or would go back to a
     *     partition that gets no slots
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

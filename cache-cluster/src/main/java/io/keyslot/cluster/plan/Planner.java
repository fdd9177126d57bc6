// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans for one map. Deterministic, without clock and I/O. A returned plan has been simulated: each of its steps
 * is a valid map.
 */
public final class Planner {
    /** The most that a target may be filled afterwards. */
    private static final double FULL = 0.8;

    private static final MapCommit PLAYED = new MapCommit("plan", "planner", "", MapCommit.CONFIGURED.at());

    private final PartitionMap map;
    private final PlanFacts facts;

    /** Throws {@code PlanRefusedException} if slots of the map are moving. */
    public Planner(PartitionMap map, PlanFacts facts) {
        if (!map.moves().isEmpty()) {
            throw new PlanRefusedException("Slots are moving (%s): plan when that is over"
                    .formatted(map.moves().get(0).id()));
        }
        this.map = map;
        this.facts = facts;
    }

    public Plan add(MappedPartition added) {
        boolean wasRemoved = map.partition(added.name()).isPresent();
        if (wasRemoved && map.partition(added.name()).orElseThrow().mayOwn()) {
            throw new PlanRefusedException(
                    "There is a partition %s already. To give it its share: keyslot plan weight %s=%d"
                            .formatted(added.name(), added.name(), added.weight()));
        }
        PlanSteps steps = new PlanSteps(List.of(added), List.of());
        PlanSteps back = new PlanSteps(
                List.of(added.withState(MappedPartition.Membership.DRAINING)),
                List.of(added.withState(MappedPartition.Membership.REMOVED)));
        return even("add " + added.name(), steps, back);
    }

    /** Gives the slots of a partition to the others, and removes it. */
    public Plan remove(PartitionId name) {
        MappedPartition present = known(name);
        if (!present.mayOwn()) {
            return planned("remove " + name, PlanSteps.NONE, PlanSteps.NONE, null, played -> List.of());
        }
        List<MappedPartition> first =
                present.isLost() ? List.of() : List.of(present.withState(MappedPartition.Membership.DRAINING));
        PlanSteps steps = new PlanSteps(first, List.of(present.withState(MappedPartition.Membership.REMOVED)));
        return even("remove " + name, steps, new PlanSteps(List.of(present), List.of()));
    }

    /** Changes weights, and moves slots accordingly. */
    public Plan weigh(Map<PartitionId, Integer> weights) {
        List<MappedPartition> changed = new ArrayList<>();
        List<MappedPartition> before = new ArrayList<>();
        new TreeMap<>(weights).forEach((name, weight) -> {
            if (known(name).weight() != weight) {
                before.add(known(name));
                changed.add(known(name).withWeight(weight));
            }
        });
        return even(
                "weight " + new TreeMap<>(weights),
                new PlanSteps(changed, List.of()),
                new PlanSteps(before, List.of()));
    }

    /** Moves only these slots to a partition. */
    public Plan move(SlotSet slots, PartitionId to) {
        known(to);
        SlotSet unowned = slots.minus(map.slots().owned());
        if (!unowned.isEmpty()) {
            throw new PlanRefusedException("Slots %s have no owner".formatted(unowned));
        }
        return planned("move %s to %s".formatted(slots, to), PlanSteps.NONE, PlanSteps.NONE, null, played -> {
            MoveList moves = new MoveList();
            map.slots().slots().forEach((owner, owned) -> {
                if (!owner.equals(to)) {
                    moves.add(owner, to, owned.and(slots));
                }
            });
            return moves.all();
        });
    }

    /** Balances the load of slots; throws {@link PlanRefusedException} if it is unknown. */
    public Plan rebalance(Measure by, BalanceLimits limits) {
        String word = by.word();
        if (facts.load(map.slots().owned(), by) == 0) {
            throw new PlanRefusedException("Nothing is known of the %s of any slot".formatted(word));
        }
        LoadBalance balance = new LoadBalance(map.content(), facts, by, limits);
        List<PlannedMove> moves = balance.moves();
        Plan plan = planned("rebalance by " + word, PlanSteps.NONE, PlanSteps.NONE, by, played -> moves);
        return plan.warning(balance.warnings());
    }

    /**
     * Undoes the completed part of a plan: slots at its targets return, and partitions are restored. Throws
     * {@link PlanRefusedException} if slots would go back to a partition that gets none.
     */
    public Plan reverse(Plan done) {
        return planned("undo " + done.request(), done.back(), done.steps(), null, begun -> {
                    MoveList moves = new MoveList();
                    List<PlannedMove> last = new ArrayList<>(done.moves());
                    Collections.reverse(last);
                    for (PlannedMove move : last) {
                        moves.add(
                                move.to(),
                                move.from(),
                                move.slots().and(map.slots().slotsOf(move.to())));
                    }
                    return moves.all();
                })
                .cold(done.drain());
    }

    private Plan even(String request, PlanSteps steps, PlanSteps back) {
        return planned(request, steps, back, null, played -> EvenShares.moves(played.content()));
    }

    private Plan planned(
            String request,
            PlanSteps steps,
            PlanSteps back,
            @Nullable Measure measure,
            Function<PartitionMap, List<PlannedMove>> mover) {
        try {
            PartitionMap begun = map.next(PLAYED, content -> PlanSteps.put(content, steps.first()));
            List<PlannedMove> moves = mover.apply(begun);
            moves.forEach(move -> requireReservation(begun, move));
            PartitionMap ended = played(begun, moves).next(PLAYED, content -> PlanSteps.put(content, steps.last()));
            return costed(ended, measure, request, steps, moves, back);
        } catch (InvalidMapException e) {
            throw new PlanRefusedException("Cannot %s: %s".formatted(request, String.join("; ", e.problems())));
        }
    }

    /** A partition with weight 0 takes no hash slots, and with pinned entries no others. */
    private static void requireReservation(PartitionMap begun, PlannedMove move) {
        if (begun.partition(move.to()).stream().noneMatch(to -> to.isActive() && to.weight() == 0)) {
            return;
        }
        SlotSet hashed = move.slots().minus(begun.content().placements().slots());
        if (!hashed.isEmpty()) {
            throw new PlanRefusedException(
                    ("%s has weight 0 and takes no hash slots, such as %s. Give it a weight (keyslot plan weight %s=1), or the"
                                    + " keys a placement (keyslot placement set TYPE ID --to %s)")
                            .formatted(move.to(), hashed, move.to(), move.to()));
        }
        SlotSet pinned = begun.content().placements().pinned();
        if (begun.slots().slotsOf(move.to()).intersects(pinned) && !pinned.containsAll(move.slots())) {
            throw new PlanRefusedException(
                    "%s has weight 0 and is kept for its pinned entries. Pin those of slots %s first: keyslot placement set TYPE ID --pin"
                            .formatted(move.to(), move.slots().minus(pinned)));
        }
    }

    private static PartitionMap played(PartitionMap begun, List<PlannedMove> moves) {
        PartitionMap played = begun;
        for (PlannedMove move : moves) {
            String id = "played";
            played = played.next(
                    PLAYED, content -> content.begin(Move.begun(id, move.from(), move.to(), move.slots(), "planner")));
            played = played.next(
                    PLAYED,
                    content -> content.startMoving(id)
                            .commit(id, move.slots())
                            .settle(id)
                            .finish(id));
        }
        return played;
    }

    /** Returns the plan with its costs and warnings. {@code after} is the map when it is done. */
    private Plan costed(
            PartitionMap after,
            @Nullable Measure measure,
            String request,
            PlanSteps steps,
            List<PlannedMove> moves,
            PlanSteps back) {
        Map<PartitionId, Long> change = new HashMap<>();
        long bytes = 0;
        for (PlannedMove move : moves) {
            int slots = map.slots().slotsOf(move.from()).size();
            long moved = facts.bytes(move.slots(), move.from(), slots);
            change.merge(move.from(), -moved, Long::sum);
            change.merge(move.to(), moved, Long::sum);
            bytes += moved;
        }
        List<PlanShare> shares = new ArrayList<>();
        for (MappedPartition partition : after.partitions()) {
            PartitionId name = partition.name();
            SlotSet owned = map.slots().slotsOf(name);
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
        return new Plan(map.stamp(), request, steps, moves, back, shares, bytes, warnings(moves, change), null);
    }

    private List<String> warnings(List<PlannedMove> moves, Map<PartitionId, Long> change) {
        List<String> warnings = new ArrayList<>();
        moves.stream().map(PlannedMove::to).distinct().forEach(to -> {
            PlanFacts.Memory memory = facts.memory().get(to);
            if (memory != null && memory.limit() > 0) {
                double full = (double) (memory.used() + change.getOrDefault(to, 0L)) / memory.limit();
                if (full > FULL) {
                    warnings.add(String.format(
                            Locale.ROOT,
                            "%s would use %.0f %% of its memory, which is more than %.0f %%",
                            to,
                            100 * full,
                            100 * FULL));
                }
            }
        });
        return warnings;
    }

    private MappedPartition known(PartitionId name) {
        return map.partition(name)
                .orElseThrow(() -> new PlanRefusedException("There is no partition %s".formatted(name)));
    }
}

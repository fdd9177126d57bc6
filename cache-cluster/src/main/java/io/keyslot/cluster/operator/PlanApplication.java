// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.operator.RefusedException.Kind;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlannedMove;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Adds the partitions and moves of a plan to the map, atomically. The moves wait there for a coordinator. Refuses a
 * plan that cannot succeed: for another map, during another move, for a partition that does not answer or duplicates
 * one of the map, with a client that cannot follow, or with too little memory.
 */
public record PlanApplication(OpenCatalogue catalogue) {
    /** A plan that was applied, with the map, its moves, and the estimated amount to copy. */
    public record Applied(PartitionMap map, List<Move> moves, Amount estimated) {}

    /**
     * Applies a plan; nothing moves yet. Throws {@link RefusedException} if nothing was changed;
     * {@link MapStore.UnavailableException} if the map cannot be read, when the message says whether the outcome is
     * unknown.
     */
    public Applied apply(Plan plan, MovePace pace) throws MapStore.UnavailableException {
        PartitionMap map = catalogue.maps().read();
        requireVersion(map, plan);
        requireRest(map, plan);
        Amount estimated;
        try (Instances instances = new Instances(catalogue)) {
            estimated = new PlanCheck(instances, map, plan).require();
        }
        List<Move> moves = moves(plan, pace);
        PartitionMap next = next(map, plan, moves);
        return new Applied(store(map, next), moves, estimated);
    }

    private static void requireRest(PartitionMap map, Plan plan) {
        map.moves().stream()
                .filter(move -> plan.moves().stream()
                        .anyMatch(planned -> move.involves(planned.from()) || move.involves(planned.to())))
                .findFirst()
                .ifPresent(move -> {
                    throw new RefusedException(
                            "The plan is not applied: move %s, from %s to %s, is not over. Wait for it, or give it up: keyslot moves"
                                    .formatted(move.id(), move.from(), move.to()));
                });
    }

    private static void requireVersion(PartitionMap map, Plan plan) {
        if (!map.stamp().equals(plan.base())) {
            throw new RefusedException(
                    Kind.OTHER_VERSION,
                    "The plan is for map %s, and the map is %s: plan again".formatted(plan.base(), map.stamp()));
        }
    }

    private static List<Move> moves(Plan plan, MovePace pace) {
        List<Move> moves = new ArrayList<>();
        for (PlannedMove move : plan.moves()) {
            String id = plan.id() + "-" + (moves.size() + 1);
            moves.add(Move.waiting(id, move.from(), move.to(), move.slots(), "none", pace)
                    .cold(plan.drain()));
        }
        return moves;
    }

    private PartitionMap next(PartitionMap map, Plan plan, List<Move> moves) {
        String reason = "plan %s: %s".formatted(plan.id(), plan.request());
        MapCommit commit = new MapCommit(
                "apply-" + UUID.randomUUID(),
                shortened(OpenCatalogue.actor(), MapCommit.LONGEST_ACTOR),
                shortened(reason, MapCommit.LONGEST_REASON),
                catalogue.time().now());
        try {
            return map.next(commit, content -> begun(content, plan, moves));
        } catch (InvalidMapException e) {
            throw new RefusedException("The map does not allow the plan: " + String.join("; ", e.problems()));
        }
    }

    /** Partitions without slots get their final state at once; others are removed with their last move. */
    private static MapContent begun(MapContent content, Plan plan, List<Move> moves) {
        MapContent begun = plan.begin(content);
        for (MappedPartition last : plan.steps().last()) {
            if (begun.slots().slotsOf(last.name()).isEmpty()) {
                begun = begun.change(last.name(), before -> last);
            }
        }
        for (Move move : moves) {
            begun = begun.begin(move);
        }
        return begun;
    }

    private static String shortened(String text, int most) {
        return text.length() > most ? text.substring(0, most) : text;
    }

    private PartitionMap store(PartitionMap map, PartitionMap next) throws MapStore.UnavailableException {
        MapStore.Stored stored = catalogue.maps().compareAndSet(map, next);
        PartitionMap now = reread(next, stored);
        boolean isMade = stored == MapStore.Stored.DONE
                || now.commit().operation().equals(next.commit().operation())
                || next.moves().stream().anyMatch(move -> now.move(move.id()).isPresent());
        if (isMade) {
            return now;
        }
        if (now.stamp().equals(map.stamp())) {
            throw new RefusedException(
                    "The catalogue has not stored the plan: the map is %s still".formatted(now.stamp()));
        }
        throw new RefusedException(
                Kind.OTHER_VERSION,
                "Somebody else has changed the map, which is %s now: plan again".formatted(now.stamp()));
    }

    private PartitionMap reread(PartitionMap next, MapStore.Stored stored) throws MapStore.UnavailableException {
        try {
            return catalogue.maps().read();
        } catch (MapStore.UnavailableException e) {
            if (stored == MapStore.Stored.DONE) {
                return next;
            }
            throw new MapStore.UnavailableException(
                    "Nobody knows whether the plan is applied, see keyslot moves: " + e.getMessage());
        }
    }
}

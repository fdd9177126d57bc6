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
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Makes a plan the map's: its partitions and its moves, which wait there for whoever plays them, in one step or not at all.
 *
 * <p>What cannot end well is refused before: a plan for another map, another move, a partition that does not answer, or is one that
 * the map has already, a client that cannot follow, too little memory.
 */
public final class PlanApplication {
    private final Cluster cluster;

    public PlanApplication(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * How a plan is applied.
     *
     * @param pace of each of its moves
     * @param expectedVersion of the map, if that was said
     * @param actor who applies it, for people
     */
    public record Terms(MovePace pace, OptionalLong expectedVersion, String actor) {}

    /**
     * A plan that is the map's.
     *
     * @param map as it is then, or later
     * @param moves its moves, none if there is nothing to move
     * @param estimated about how much is to be copied
     */
    public record Applied(PartitionMap map, List<Move> moves, Amount estimated) {}

    /**
     * Applies a plan; nothing moves yet.
     *
     * @throws RefusedException if nothing was changed
     * @throws MapStore.UnavailableException if the map cannot be read: before anything was changed, or so that nobody knows whether
     *     the plan is applied, as the message says
     */
    public Applied apply(Plan plan, Terms terms) throws MapStore.UnavailableException {
        PartitionMap map = cluster.maps().read();
        requireVersion(map, plan, terms);
        requireRest(map, plan);
        Amount estimated;
        try (Instances instances = new Instances(cluster)) {
            estimated = new PlanCheck(instances, map, plan).require();
        }
        List<Move> moves = moves(plan, terms);
        PartitionMap next = next(map, plan, moves, terms);
        return new Applied(store(map, next), moves, estimated);
    }

    private static void requireRest(PartitionMap map, Plan plan) {
        map.moves().stream()
                .filter(move -> plan.moves().stream()
                        .anyMatch(planned -> move.involves(planned.from()) || move.involves(planned.to())))
                .findFirst()
                .ifPresent(move -> {
                    throw new RefusedException(
                            Kind.NOT_ALLOWED,
                            "The plan is not applied: move %s, from %s to %s, is not over. Wait for it, or give it up: keyslot moves"
                                    .formatted(move.id(), move.from(), move.to()));
                });
    }

    private static void requireVersion(PartitionMap map, Plan plan, Terms terms) {
        if (!map.stamp().equals(plan.base())) {
            throw new RefusedException(
                    Kind.OTHER_VERSION,
                    "The plan is for map %s, and the map is %s: plan again".formatted(plan.base(), map.stamp()));
        }
        if (terms.expectedVersion().isPresent() && terms.expectedVersion().getAsLong() != map.version()) {
            throw new RefusedException(
                    Kind.OTHER_VERSION,
                    "Version %d of the map was expected, and it is %s"
                            .formatted(terms.expectedVersion().getAsLong(), map.stamp()));
        }
    }

    private static List<Move> moves(Plan plan, Terms terms) {
        List<Move> moves = new ArrayList<>();
        for (PlannedMove move : plan.moves()) {
            String id = plan.id() + "-" + (moves.size() + 1);
            moves.add(Move.waiting(id, move.from(), move.to(), move.slots(), "none", terms.pace()));
        }
        return moves;
    }

    private PartitionMap next(PartitionMap map, Plan plan, List<Move> moves, Terms terms) {
        String reason = "plan %s: %s".formatted(plan.id(), plan.request());
        MapCommit commit = new MapCommit(
                "apply-" + UUID.randomUUID(),
                shortened(terms.actor(), MapCommit.LONGEST_ACTOR),
                shortened(reason, MapCommit.LONGEST_REASON),
                cluster.time().now());
        try {
            return map.next(commit, content -> begun(content, plan, moves));
        } catch (InvalidMapException e) {
            throw new RefusedException(
                    Kind.NOT_ALLOWED, "The map does not allow the plan: " + String.join("; ", e.problems()));
        }
    }

    /** What a partition becomes when it is empty, it becomes at once if it is. The others are removed with their last move. */
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
        MapStore.Stored stored = cluster.maps().compareAndSet(map, next);
        PartitionMap now = reread(next, stored);
        boolean isMade = stored == MapStore.Stored.DONE
                || now.commit().operation().equals(next.commit().operation())
                || next.moves().stream().anyMatch(move -> now.move(move.id()).isPresent());
        if (isMade) {
            return now;
        }
        if (now.stamp().equals(map.stamp())) {
            throw new RefusedException(
                    Kind.NOT_ALLOWED,
                    "The catalogue has not stored the plan: the map is %s still".formatted(now.stamp()));
        }
        throw new RefusedException(
                Kind.OTHER_VERSION,
                "Somebody else has changed the map, which is %s now: plan again".formatted(now.stamp()));
    }

    private PartitionMap reread(PartitionMap next, MapStore.Stored stored) throws MapStore.UnavailableException {
        try {
            return cluster.maps().read();
        } catch (MapStore.UnavailableException e) {
            if (stored == MapStore.Stored.DONE) {
                return next;
            }
            throw new MapStore.UnavailableException(
                    "Nobody knows whether the plan is applied, see keyslot moves: " + e.getMessage());
        }
    }
}

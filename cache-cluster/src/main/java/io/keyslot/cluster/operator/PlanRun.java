// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Carries a plan out in a program: applied as an operator's command does it, and played to the end of its last move. For one
 * thread, but for {@link #progress}.
 */
public final class PlanRun implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final Plan plan;
    private final String name;
    private final Cluster cluster;
    private final MovePlayer player;

    /** @param name of the coordinator: nobody else ever had it; 40 characters at most */
    public PlanRun(Plan plan, String name, Cluster cluster) {
        this.plan = plan;
        this.name = name;
        this.cluster = cluster;
        this.player = new MovePlayer(cluster, name);
    }

    /** Returns how far each move is that has begun. Any thread may ask. */
    public List<MoveProgress> progress() {
        return player.progress();
    }

    /**
     * Carries the plan out.
     *
     * @param pace of each move
     * @throws RefusedException if nothing was changed
     * @throws IllegalStateException if a move did not end at its target, or the map cannot be read: what was done until then is
     *     done
     */
    public void run(MovePace pace) {
        try {
            PlanApplication.Applied applied = new PlanApplication(cluster)
                    .apply(plan, new PlanApplication.Terms(pace, OptionalLong.empty(), name));
            MovePlayer.Played played =
                    player.play(move -> MoveOrders.isNamed(move, plan.id()), CHECK_INTERVAL, progress -> {});
            if (!played.isFinished(applied.moves())) {
                throw new IllegalStateException("Not all moves of %s are over: %s; %s"
                        .formatted(plan.id(), played.outcomes(), played.progress()));
            }
        } catch (MapStore.UnavailableException e) {
            throw new IllegalStateException("The map cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        player.close();
    }
}

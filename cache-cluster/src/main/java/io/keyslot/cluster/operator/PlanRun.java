// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Applies a plan and carries it out to the end of its last move. For one thread, except for {@link #progress}. */
public final class PlanRun implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final Plan plan;
    private final String name;
    private final OpenCatalogue catalogue;
    private final MovePlayer player;

    /** {@code name} is a unique name of the coordinator, at most 40 characters. */
    public PlanRun(Plan plan, String name, OpenCatalogue catalogue) {
        this.plan = plan;
        this.name = name;
        this.catalogue = catalogue;
        this.player = new MovePlayer(catalogue, name);
    }

    public List<MoveProgress> progress() {
        return player.progress();
    }

    /**
     * Carries the plan out. Throws {@link RefusedException} if nothing was changed, and IllegalStateException if a move
     * did not end at its target or the map cannot be read; earlier steps are not undone.
     */
    public void run(MovePace pace) {
        try {
            PlanApplication.Applied applied = new PlanApplication(catalogue)
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

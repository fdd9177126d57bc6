// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlannedMove;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Carries a plan out, from the change of the map to the end of its last move. For one thread, but for {@link #progress}. */
public final class PlanRun {
    private final Plan plan;
    private final String coordinator;
    private final MapClient client;
    private final MoveRuns runs;

    /**
     * Creates a run.
     *
     * @param coordinator who this is: a name that nobody else ever had, of 40 characters at most
     * @param threads one for each move
     */
    public PlanRun(Plan plan, String coordinator, MapClient client, Executor threads) {
        this.plan = plan;
        this.coordinator = coordinator;
        this.client = client;
        this.runs = new MoveRuns(coordinator, client.maps(), client::connector, client.time(), threads);
    }

    /** Returns how far each move is that has begun. Any thread may ask. */
    public List<MoveProgress> progress() {
        return runs.progress();
    }

    /**
     * Carries the plan out.
     *
     * @param pace of each move
     * @throws IllegalStateException if a move did not end at its target, or the map cannot be changed: what was done until
     *     then is done
     */
    public void run(MovePace pace) {
        PartitionMap before = client.map();
        plan.requireBase(before);
        Instant now = client.time().now();
        MapCommit commit = new MapCommit(coordinator + "-plan", coordinator, plan.request(), now);
        PartitionMap begun = before.next(commit, content -> begin(content, pace));
        boolean isDone = client.maps().compareAndSet(before, begun) == MapStore.Stored.DONE;
        if (!isDone && !client.map().commit().operation().equals(commit.operation())) {
            throw new IllegalStateException("The map was not changed: somebody else changes it, or nobody knows");
        }
        play();
    }

    private MapContent begin(MapContent content, MovePace pace) {
        MapContent begun = plan.begin(content);
        for (PlannedMove move : plan.moves()) {
            String id = "%s-%d".formatted(plan.id(), plan.moves().indexOf(move) + 1);
            begun = begun.begin(Move.waiting(id, move.from(), move.to(), move.slots(), coordinator, pace));
        }
        return begun;
    }

    private void play() {
        try {
            Map<String, MoveRun.Outcome> outcomes = runs.run();
            boolean isDone = outcomes.size() == plan.moves().size()
                    && outcomes.values().stream().allMatch(outcome -> outcome == MoveRun.Outcome.FINISHED);
            if (!isDone) {
                throw new IllegalStateException(
                        "Not all moves of %s are over: %s; %s".formatted(plan.id(), outcomes, runs.progress()));
            }
        } catch (MapStore.UnavailableException e) {
            throw new IllegalStateException("The map cannot be read: " + e.getMessage(), e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.cluster.move.MoveProgress;
import java.time.Duration;
import java.util.List;

/** Receives the progress of moves while they are carried out, on the thread that waits for their end. */
@FunctionalInterface
public interface MoveListener {
    /** Called when the plan is in the map, before its moves start. */
    default void applied(PlanApplication.Applied plan) {}

    /** Called before the moves start; the player may be asked for progress, and be stopped, by any thread. */
    default void started(MovePlayer player) {}

    /** Called after each {@link #interval}, and at the end. */
    void progressed(List<MoveProgress> moves);

    default Duration interval() {
        return Duration.ofSeconds(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Starts a check for stuck slots ({@link StuckSlotRecovery}) some time after a command was refused because its slot is
 * frozen. One check of all moves runs at a time; the next refusal starts another one. Thread-safe; has no threads of
 * its own.
 */
public final class StuckSlots {
    /** Most frozen slots have their new owner by then. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** A random addition, so that clients do not check at the same time. */
    static final Duration SPREAD = Duration.ofSeconds(1);

    private final Supplier<PartitionMap> known;
    private final StuckSlotRecovery recovery;
    private final Timing timing;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    public StuckSlots(Supplier<PartitionMap> known, StuckSlotRecovery recovery, Timing timing) {
        this.known = known;
        this.recovery = recovery;
        this.timing = timing;
    }

    /** Reports that a command was refused because its slot is frozen. Neither throws nor blocks. */
    public void refused() {
        if (!isLooking.get() && isLooking.compareAndSet(false, true)) {
            boolean isLater = timing.schedule(this::look, PATIENCE.toNanos() + timing.upTo(SPREAD))
                    .isPresent();
            if (!isLater) {
                isLooking.set(false);
            }
        }
    }

    private void look() {
        PartitionMap map = known.get();
        List<CompletableFuture<Void>> checks = map.moves().stream()
                .filter(move -> move.phase() == MovePhase.MOVING)
                .map(Move::id)
                .map(move -> recovery.look(map, move))
                .toList();
        Futures.whenOver(
                CompletableFuture.allOf(checks.toArray(CompletableFuture<?>[]::new)),
                (over, failure) -> isLooking.set(false));
    }
}

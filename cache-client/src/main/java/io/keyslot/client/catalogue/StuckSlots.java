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
 * Hears of each command that was refused because its slot is frozen, and looks a while later whether a coordinator has left it so
 * ({@link StuckSlotRecovery}). As long as nothing is refused nothing is done. One look is under way at a time, about all moves; after it the
 * next refusal begins another one. Safe for use by several threads; has none itself.
 */
public final class StuckSlots {
    /** Nearly all that is frozen is owned by somebody else by then. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Added to it by chance: clients that are refused together do not look together. */
    static final Duration SPREAD = Duration.ofSeconds(1);

    private final Supplier<PartitionMap> known;
    private final StuckSlotRecovery recovery;
    private final Timing timing;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /** @param known gives the newest map that this client knows */
    public StuckSlots(Supplier<PartitionMap> known, StuckSlotRecovery recovery, Timing timing) {
        this.known = known;
        this.recovery = recovery;
        this.timing = timing;
    }

    /** A command was refused: its slot is frozen. Neither throws nor blocks. */
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.demo.Growth.Moved;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lets the replay go on while a server is added. */
final class GrowthPhase {
    private final DemoReplay replay;
    private final Growth growth;
    private final LongSupplier nanoClock;

    GrowthPhase(DemoReplay replay, Growth growth, LongSupplier nanoClock) {
        this.replay = replay;
        this.growth = growth;
        this.nanoClock = nanoClock;
    }

    /** Replays these receipts, and then reads them again until the server has its share. */
    GrowthReport run(List<Receipt> receipts) {
        Measurements measurements = new Measurements(nanoClock);
        AtomicReference<@Nullable Moved> moved = new AtomicReference<>();
        AtomicBoolean isOver = new AtomicBoolean();
        long start = nanoClock.getAsLong();
        int threads = replay.threads();
        Workers.run(threads + 1, number -> {
            if (number == threads) {
                try {
                    moved.set(growth.add());
                } finally {
                    isOver.set(true);
                }
            } else {
                replay.readsAndWrites(receipts, number, measurements);
                replay.readsAgain(receipts, number, measurements, isOver::get);
            }
        });
        Moved share = moved.get();
        if (share == null) {
            throw new IllegalStateException("The server was not added");
        }
        return new GrowthReport(
                share.partition(),
                share.slots(),
                share.keys(),
                Duration.ofNanos(nanoClock.getAsLong() - start),
                share.longestPause(),
                receipts.stream().mapToLong(Receipt::lines).sum(),
                measurements);
    }
}

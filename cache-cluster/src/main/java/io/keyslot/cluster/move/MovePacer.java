// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/**
 * Applies the pace of a move: between two batches it counts, waits, and checks the map for changes.
 *
 * <p>{@code look} is called between batches and at each interval of a pause, and may change the pause.
 */
record MovePacer(MoveLog log, Throttle throttle, MoveTime time, Duration checkInterval, Runnable look) {
    /** Returns a pacer that counts without waiting. */
    static MovePacer unbound(MoveLog log, MoveTime time) {
        return new MovePacer(log, new Throttle(time), time, Duration.ZERO, () -> {});
    }

    void begin() {
        throttle.begin();
    }

    /** Returns whether a batch must be complete before the next one is sent. */
    boolean isOneAtATime() {
        return throttle.isPausing();
    }

    /** Called after a batch was stored or removed. May wait, or throw {@link MoveTrouble}. */
    void done(long keys, long bytes) {
        if (bytes > 0) {
            log.copied(keys, bytes);
        }
        throttle.take(bytes);
        look.run();
        for (Duration pending = throttle.pending(); !pending.isZero(); pending = throttle.pending()) {
            time.pause(pending.compareTo(checkInterval) < 0 ? pending : checkInterval);
            look.run();
        }
        throttle.begin();
    }
}

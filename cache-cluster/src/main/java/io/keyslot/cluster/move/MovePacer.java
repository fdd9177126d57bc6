// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.Pace;
import io.keyslot.cluster.copy.Throttle;
import java.time.Duration;

/** Applies the pace of a move: between two batches it counts, waits, and checks the map for changes. */
final class MovePacer implements Pace {
    private final MoveLog log;
    private final Throttle throttle;
    private final MoveTime time;
    private final Duration checkInterval;
    private final Runnable look;

    /** {@code look} is called between batches and at each interval of a pause, and may change the pause. */
    MovePacer(MoveLog log, Throttle throttle, MoveTime time, Duration checkInterval, Runnable look) {
        this.log = log;
        this.throttle = throttle;
        this.time = time;
        this.checkInterval = checkInterval;
        this.look = look;
    }

    /** Returns a pacer that counts without waiting. */
    static MovePacer unbound(MoveLog log, MoveTime time) {
        return new MovePacer(log, new Throttle(time), time, Duration.ZERO, () -> {});
    }

    @Override
    public void begin() {
        throttle.begin();
    }

    @Override
    public boolean isOneAtATime() {
        return throttle.isPausing();
    }

    @Override
    public void done(long keys, long bytes) {
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

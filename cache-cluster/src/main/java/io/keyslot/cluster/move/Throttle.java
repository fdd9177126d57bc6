// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.MovePace;
import java.time.Duration;

/** Limits a copy to a rate and a share of the time by interruptible pauses. For one thread. */
final class Throttle {
    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    /** The most unused time that is credited. */
    private static final long LONGEST_CREDIT_NANOS = NANOS / 10;

    /** The longest rest. A step may have taken long for other reasons than its amount of work. */
    private static final long LONGEST_REST_NANOS = NANOS;

    private final MoveTime time;
    private MovePace pace = MovePace.FULL;
    private long paidUntilNanos;
    private long workingSinceNanos;
    private long restingSinceNanos;

    public Throttle(MoveTime time) {
        this.time = time;
        this.paidUntilNanos = time.nanos();
        this.workingSinceNanos = paidUntilNanos;
        this.restingSinceNanos = paidUntilNanos;
    }

    /** Changes the pace, including that of the pending pause. */
    public void allow(MovePace changed) {
        long now = time.nanos();
        long pendingNanos = paidUntilNanos - now;
        if (pendingNanos > 0) {
            paidUntilNanos = now + (long) (pendingNanos * (pace.bytesPerSecond() / (double) changed.bytesPerSecond()));
        }
        pace = changed;
    }

    /** Returns whether there are pauses, during which nothing may be in flight. */
    public boolean isPausing() {
        return pace.bytesPerSecond() < MovePace.FULL.bytesPerSecond() || pace.share() < MovePace.WHOLE;
    }

    public void begin() {
        workingSinceNanos = time.nanos();
        if (paidUntilNanos - workingSinceNanos > 0) {
            paidUntilNanos = workingSinceNanos;
        }
        restingSinceNanos = workingSinceNanos;
    }

    public void take(long bytes) {
        long now = time.nanos();
        if (now - paidUntilNanos > LONGEST_CREDIT_NANOS) {
            paidUntilNanos = now - LONGEST_CREDIT_NANOS;
        }
        paidUntilNanos += (long) (bytes / (double) pace.bytesPerSecond() * NANOS);
        restingSinceNanos = now;
    }

    public Duration pending() {
        long now = time.nanos();
        return Duration.ofNanos(Math.max(0, Math.max(paidUntilNanos, restingSinceNanos + restNanos()) - now));
    }

    private long restNanos() {
        long workedNanos = restingSinceNanos - workingSinceNanos;
        return Math.min(LONGEST_REST_NANOS, workedNanos * (MovePace.WHOLE - pace.share()) / pace.share());
    }
}

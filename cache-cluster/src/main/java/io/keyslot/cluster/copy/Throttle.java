// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.copy;

import io.keyslot.client.map.MovePace;
import java.time.Duration;

/** Keeps what is copied within a rate and a share of the time, by pauses that others may cut short. For one thread. */
public final class Throttle {
    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    /** What was not used is not saved up for longer than this. */
    private static final long LONGEST_CREDIT_NANOS = NANOS / 10;

    /** Something may have taken long for another reason than that there is much to do: so long it rests at most. */
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

    /** Sets the pace, of what is owed already as well. */
    public void allow(MovePace changed) {
        long now = time.nanos();
        long pendingNanos = paidUntilNanos - now;
        if (pendingNanos > 0) {
            paidUntilNanos = now + (long) (pendingNanos * (pace.bytesPerSecond() / (double) changed.bytesPerSecond()));
        }
        pace = changed;
    }

    /** Returns whether there are pauses, in which nothing is to be under way. */
    public boolean isPausing() {
        return pace.bytesPerSecond() < MovePace.FULL.bytesPerSecond() || pace.share() < MovePace.WHOLE;
    }

    /** What is done from now on counts as work; nothing is owed of what was before. */
    public void begin() {
        workingSinceNanos = time.nanos();
        if (paidUntilNanos - workingSinceNanos > 0) {
            paidUntilNanos = workingSinceNanos;
        }
        restingSinceNanos = workingSinceNanos;
    }

    /** Counts bytes that were copied, and ends the work that has begun. */
    public void take(long bytes) {
        long now = time.nanos();
        if (now - paidUntilNanos > LONGEST_CREDIT_NANOS) {
            paidUntilNanos = now - LONGEST_CREDIT_NANOS;
        }
        paidUntilNanos += (long) (bytes / (double) pace.bytesPerSecond() * NANOS);
        restingSinceNanos = now;
    }

    /** Returns for how long nothing more is to be done: zero if something may be now. */
    public Duration pending() {
        long now = time.nanos();
        return Duration.ofNanos(Math.max(0, Math.max(paidUntilNanos, restingSinceNanos + restNanos()) - now));
    }

    private long restNanos() {
        long workedNanos = restingSinceNanos - workingSinceNanos;
        return Math.min(LONGEST_REST_NANOS, workedNanos * (MovePace.WHOLE - pace.share()) / pace.share());
    }
}

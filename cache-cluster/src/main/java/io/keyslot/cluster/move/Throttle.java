// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/** Keeps what is copied within a rate, by pauses that others may cut short. For one thread. */
final class Throttle {
    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    /** What was not used is not saved up for longer than this. */
    private static final long LONGEST_CREDIT_NANOS = NANOS / 10;

    private final MoveTime time;
    private long bytesPerSecond;
    private long paidUntilNanos;

    Throttle(MoveTime time) {
        this.time = time;
        this.bytesPerSecond = Long.MAX_VALUE;
        this.paidUntilNanos = time.nanos();
    }

    /** Sets the rate, of what is owed already as well. */
    void allow(long changedBytesPerSecond) {
        long now = time.nanos();
        long owedNanos = paidUntilNanos - now;
        if (owedNanos > 0) {
            paidUntilNanos = now + (long) (owedNanos * (bytesPerSecond / (double) changedBytesPerSecond));
        }
        bytesPerSecond = changedBytesPerSecond;
    }

    /** Counts bytes that were copied. */
    void take(long bytes) {
        long now = time.nanos();
        if (now - paidUntilNanos > LONGEST_CREDIT_NANOS) {
            paidUntilNanos = now - LONGEST_CREDIT_NANOS;
        }
        paidUntilNanos += (long) (bytes / (double) bytesPerSecond * NANOS);
    }

    /** Returns for how long nothing more is to be copied: zero if something may be now. */
    Duration owed() {
        return Duration.ofNanos(Math.max(0, paidUntilNanos - time.nanos()));
    }
}

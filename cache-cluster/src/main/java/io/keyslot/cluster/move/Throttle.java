// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import java.time.Duration;

/** Keeps what is copied within a rate, by pauses. For one thread. */
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

    void allow(long changedBytesPerSecond) {
        bytesPerSecond = changedBytesPerSecond;
    }

    /** Waits until so many bytes more are within the rate. */
    void take(long bytes) {
        long now = time.nanos();
        if (now - paidUntilNanos > LONGEST_CREDIT_NANOS) {
            paidUntilNanos = now - LONGEST_CREDIT_NANOS;
        }
        paidUntilNanos += (long) (bytes / (double) bytesPerSecond * NANOS);
        if (paidUntilNanos - now > 0) {
            time.pause(Duration.ofNanos(paidUntilNanos - now));
        }
    }
}

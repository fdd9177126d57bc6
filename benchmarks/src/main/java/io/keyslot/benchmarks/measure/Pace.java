// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * When one thread is to begin its next call, whether or not the last one has been answered in time: a load that does not wait
 * for the one who bears it. Without an interval the next call begins at once. For use by one thread.
 */
public final class Pace {
    private final LongSupplier nanoTime;
    private final LongConsumer pause;

    private long interval;
    private long offset;
    private boolean isFirst;
    private long next;

    /**
     * Makes a pace without an interval.
     *
     * @param nanoTime the clock
     * @param pause lets the thread wait for so many nanoseconds, or less
     */
    public Pace(LongSupplier nanoTime, LongConsumer pause) {
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /**
     * Begins anew, with the next call: threads that are told so one after the other, and then wait for each other, have no
     * backlog from that.
     *
     * @param intervalNanos the time from one call's beginning to that of the next; 0 for none
     * @param offsetNanos how much later than it could the first call begins, so that threads do not begin together
     */
    public void begin(long intervalNanos, long offsetNanos) {
        interval = intervalNanos;
        offset = offsetNanos;
        isFirst = true;
    }

    /** Waits until the next call is to begin. Returns when it was to begin, which is earlier than now if there is a backlog. */
    public long await() {
        if (interval == 0) {
            return nanoTime.getAsLong();
        }
        if (isFirst) {
            isFirst = false;
            next = nanoTime.getAsLong() + offset;
        }
        long intended = next;
        next += interval;
        long left = intended - nanoTime.getAsLong();
        while (left > 0) {
            pause.accept(left);
            left = intended - nanoTime.getAsLong();
        }
        return intended;
    }
}

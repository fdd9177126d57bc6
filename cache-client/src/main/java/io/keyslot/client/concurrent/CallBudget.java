// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.function.Function;

/**
 * The time that the partitions may take to answer one call of the application, all its commands together; and which call
 * it is.
 *
 * <p>Only waiting for them is counted. What runs on the caller's thread in between is not: the application's own loader,
 * writer, processor and listeners, and its codec. A slow processor, or the first use of a class, must not make a healthy
 * partition fail. For use by one thread.
 */
public final class CallBudget {
    private final String operation;
    private final Ticker ticker;
    private long leftNanos;
    private long spentNanos;
    private long withOthersNanos;

    /** @param operation the method that the application called: what failures are about, whatever was sent */
    public CallBudget(String operation, Ticker ticker, Duration budget) {
        this(operation, ticker, budget.toNanos());
    }

    /** As above, in nanoseconds. */
    public CallBudget(String operation, Ticker ticker, long budgetNanos) {
        this.operation = operation;
        this.ticker = ticker;
        this.leftNanos = budgetNanos;
    }

    /** Returns the method that the application called. */
    public String operation() {
        return operation;
    }

    /**
     * Waits for partitions until the deadline that is left, and takes off what that took. When the waiting is over, by
     * whatever way, nothing more is begun by that deadline.
     */
    public <T> T spend(Function<Deadline, T> waiting) {
        try (Wait wait = begin()) {
            return waiting.apply(wait.deadline());
        }
    }

    /** As {@link #spend}, of what waits until the result is closed. */
    public Wait begin() {
        return new Wait(ticker.nanos());
    }

    /** A wait for partitions, from its beginning until it is closed. */
    public final class Wait implements AutoCloseable {
        private final long startNanos;
        private final Deadline deadline;

        private Wait(long startNanos) {
            this.startNanos = startNanos;
            this.deadline = Deadline.after(ticker, startNanos, leftNanos);
        }

        /** Returns until when. */
        public Deadline deadline() {
            return deadline;
        }

        @Override
        public void close() {
            deadline.giveUp();
            long spent = ticker.nanos() - startNanos;
            leftNanos -= spent;
            spentNanos += spent;
        }
    }

    /**
     * Takes off what another call waited for the partition of the same entry, while this one waited for that call.
     *
     * @param waited how long this call waited for the other one
     * @param forPartition how much of that the other one waited for the partition
     */
    public void spendWithAnother(Duration waited, Duration forPartition) {
        leftNanos -= Math.min(waited.toNanos(), forPartition.toNanos());
        withOthersNanos += waited.toNanos();
    }

    /** Returns how long was waited for partitions so far. */
    public Duration spent() {
        return Duration.ofNanos(spentNanos);
    }

    /** Returns how long was waited so far, for partitions and for other calls. */
    public Duration waited() {
        return Duration.ofNanos(spentNanos + withOthersNanos);
    }
}

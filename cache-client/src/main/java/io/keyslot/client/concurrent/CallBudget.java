// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.function.Function;

/**
 * The time that one call of the application may wait for partitions, in total for all its commands. Application code on
 * the caller's thread does not count: its loader, writer, processor, listeners and codec. A slow processor or the first
 * use of a class must not make a healthy partition fail. For use by one thread.
 */
public final class CallBudget {
    private final String operation;
    private final Ticker ticker;
    private long leftNanos;
    private long spentNanos;
    private long withOthersNanos;

    /** Creates a budget for a method of the application, which failures name. */
    public CallBudget(String operation, Ticker ticker, Duration budget) {
        this(operation, ticker, budget.toNanos());
    }

    public CallBudget(String operation, Ticker ticker, long budgetNanos) {
        this.operation = operation;
        this.ticker = ticker;
        this.leftNanos = budgetNanos;
    }

    public String operation() {
        return operation;
    }

    /**
     * Waits for partitions until the remaining deadline, and deducts the time. After the wait, nothing more is started
     * under that deadline.
     */
    public <T> T spend(Function<Deadline, T> waiting) {
        try (Wait wait = begin()) {
            return waiting.apply(wait.deadline());
        }
    }

    public Wait begin() {
        return new Wait(ticker.nanos());
    }

    public final class Wait implements AutoCloseable {
        private final long startNanos;
        private final Deadline deadline;

        private Wait(long startNanos) {
            this.startNanos = startNanos;
            this.deadline = Deadline.after(ticker, startNanos, leftNanos);
        }

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

    /** Deducts the time that another call waited for the partition while this call waited for that call. */
    public void spendWithAnother(Duration waited, Duration forPartition) {
        leftNanos -= Math.min(waited.toNanos(), forPartition.toNanos());
        withOthersNanos += waited.toNanos();
    }

    public Duration spent() {
        return Duration.ofNanos(spentNanos);
    }

    /** Returns the time waited so far, for partitions and for other calls. */
    public Duration waited() {
        return Duration.ofNanos(spentNanos + withOthersNanos);
    }
}

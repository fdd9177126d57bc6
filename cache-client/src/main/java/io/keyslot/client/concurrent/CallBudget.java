// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The time that one call of the application may wait for partitions, in total for all its commands. Application code on
 * the caller's thread does not count: its loader, writer, processor, listeners and codec. A slow processor or the first
 * use of a class must not make a healthy partition fail. For use by one thread at a time.
 */
public final class CallBudget {
    private final String operation;
    private final Ticker ticker;
    private long leftNanos;
    private long spentNanos;
    private long withOthersNanos;
    private @Nullable Object ahead;

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

    /**
     * Sends the first command of a call, for which no thread waits. The future completes when the reply is there, which
     * the call then takes in place of sending the command.
     */
    public CompletableFuture<?> sendAhead(Function<Deadline, ? extends CompletableFuture<?>> sending) {
        Wait wait = begin();
        return sending.apply(wait.deadline()).whenComplete((reply, failure) -> {
            wait.close();
            ahead = reply;
        });
    }

    /** Returns whether the first command of the call has been sent, and its reply was not yet taken. */
    public boolean isAhead() {
        return ahead != null;
    }

    /** Returns the reply to the first command, once, or null if it was not sent ahead. */
    // The call takes the reply to the command that it would send first.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <R> @Nullable R takeAhead() {
        R reply = (R) ahead;
        ahead = null;
        return reply;
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

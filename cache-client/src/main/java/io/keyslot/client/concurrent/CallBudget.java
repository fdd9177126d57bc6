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
    private long begunNanos;
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
        Deadline deadline = begin();
        try {
            return waiting.apply(deadline);
        } finally {
            end(deadline);
        }
    }

    /** Begins to wait for partitions; returns the deadline of that, which {@link #end} must end. */
    public Deadline begin() {
        begunNanos = ticker.nanos();
        return Deadline.after(ticker, begunNanos, leftNanos);
    }

    /** Ends what has {@linkplain #begin begun}: nothing more is started under its deadline. */
    public void end(Deadline deadline) {
        deadline.giveUp();
        long spent = ticker.nanos() - begunNanos;
        leftNanos -= spent;
        spentNanos += spent;
    }

    /**
     * Sends the first command of a call, for which no thread waits. The future completes when the reply is there, which
     * the call then takes in place of sending the command.
     */
    public CompletableFuture<?> sendAhead(Function<Deadline, ? extends CompletableFuture<?>> sending) {
        Deadline deadline = begin();
        return sending.apply(deadline).whenComplete((reply, failure) -> {
            end(deadline);
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The clock and the waiter of a coordinator. */
public record MoveTime(Ticker ticker, Waiter waiter) {
    public Instant now() {
        return Instant.ofEpochMilli(ticker.epochMillis());
    }

    public long nanos() {
        return ticker.nanos();
    }

    /** Returns the milliseconds since that time, rounded up. */
    long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - nanos) + 1;
    }

    public Duration since(long nanos) {
        return Duration.ofNanos(ticker.nanos() - nanos);
    }

    /** Returns the answer, or that of the supplier if there is none within this time. */
    public <T> T await(CompletableFuture<T> answer, Duration atMost, Supplier<T> onTimeout) {
        return waiter.await(answer, Deadline.after(ticker, atMost), onTimeout);
    }

    /** Waits; throws if the thread is interrupted. */
    public void pause(Duration duration) {
        waiter.pause(duration);
        if (Thread.currentThread().isInterrupted()) {
            throw new MoveTrouble(MoveTrouble.Kind.STOPPED, "the coordinator was stopped");
        }
    }
}

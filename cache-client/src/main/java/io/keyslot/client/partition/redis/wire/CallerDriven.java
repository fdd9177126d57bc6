// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Patience;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An event loop that threads drive while they wait. One thread at a time does: it writes, waits for the sockets and reads,
 * for itself and for all others. The others wait for their replies, and one of them goes on when it leaves.
 *
 * <p>Safe for use by several threads.
 */
public interface CallerDriven {
    /** Returns the event loop as one that callers drive, or one that never lets them. */
    static CallerDriven of(EventLoop eventLoop) {
        return eventLoop instanceof CallerDriven driven ? driven : new Undriven();
    }

    /**
     * Sends something, and returns its reply when that is there or the patience is over. What is sent is in the event loop
     * already if nobody else is.
     */
    <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience);

    /**
     * Sends something, and does not wait: the thread will {@linkplain #exchange exchange} something else at once, so nobody else needs to
     * begin to drive. If it does not, somebody does two milliseconds later.
     */
    <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send);

    /** Says that an answer is owed, for which somebody has to read. */
    void expect();

    /** Says that an answer has come, or never will. */
    void received();
}

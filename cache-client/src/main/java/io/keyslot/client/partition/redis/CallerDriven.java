// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Patience;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** An event loop that waiting threads drive: one at a time writes, selects and reads for all. Thread-safe. */
interface CallerDriven {
    /** Returns the event loop itself, or one with a thread of its own, whose callers only wait. */
    static CallerDriven of(EventLoop eventLoop) {
        return eventLoop instanceof CallerDriven driven ? driven : new CallerDriven() {};
    }

    /**
     * Sends something, in the event loop if that is free, and drives it until the reply has arrived or the patience is
     * over. A thread that may not drive returns at once, and waits for the future.
     */
    default <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience) {
        return send.get();
    }

    /**
     * Sends something without waiting, because the thread will {@linkplain #exchange exchange} something else at once
     * and drive then. If it does not, another thread drives two milliseconds later.
     */
    default <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send) {
        return send.get();
    }

    /** Counts an expected reply, which some thread has to read. */
    default void expect() {}

    /** Counts a reply that has arrived or never will. */
    default void received() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.eventloop;

import io.keyslot.client.partition.Patience;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;

/**
 * An event loop that threads drive while they wait. One thread at a time does: it writes, waits for the sockets and reads,
 * for itself and for all others. The others wait for their replies, and one of them goes on when it leaves.
 *
 * <pre>{@code
 * boolean entered = loop.enter();
 * CompletableFuture<R> reply = send();          // in the event loop, if it was entered
 * if (entered) {
 *     loop.driveAndLeave(reply, patience);
 * } else {
 *     loop.follow(reply, patience);
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads. Nothing here throws, and nothing waits longer than the caller has patience.
 */
public interface CallerDriven {
    /** For an event loop of Netty, which has a thread for itself. */
    CallerDriven UNDRIVEN = new CallerDriven() {
        @Override
        public boolean enter() {
            return false;
        }

        @Override
        public void driveAndLeave(CompletableFuture<?> reply, Patience patience) {
            patience.await(reply);
        }

        @Override
        public void follow(CompletableFuture<?> reply, Patience patience) {
            patience.await(reply);
        }

        @Override
        public void expect() {}

        @Override
        public void received() {}
    };

    /** Returns the event loop as one that callers drive, or one that never lets them. */
    static CallerDriven of(EventLoop eventLoop) {
        return eventLoop instanceof CallerDriven driven ? driven : UNDRIVEN;
    }

    /** Makes this thread the one that drives, if there is no other and it may. It must leave again, in every case. */
    boolean enter();

    /** Does the work of the event loop until the reply is there or the patience is over, and lets others go on then. */
    void driveAndLeave(CompletableFuture<?> reply, Patience patience);

    /** Waits until the reply is there or the patience is over, and drives if whoever does it now leaves before. */
    void follow(CompletableFuture<?> reply, Patience patience);

    /** Says that an answer is owed, for which somebody has to read. */
    void expect();

    /** Says that an answer has come, or never will. */
    void received();
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to one life of one partition, after a successful handshake. Safe for use by several threads.
 *
 * <p>Every command gets a reply within the command's timeout.
 */
public interface PartitionConnection extends AutoCloseable {
    /**
     * For so long a connection may go on, answer and tell when its server knows that the partition lives elsewhere: it is a
     * replica now, say, and nobody has cut the connection. What is sent later is not answered. A former primary that goes on as
     * one is found out later, by what sentinels or the name service say.
     */
    Duration LONGEST_UNNOTICED = Duration.ofSeconds(1);

    /**
     * Sends a command that was routed by this version of the slot map. Does not throw; the future never completes
     * exceptionally. Its continuations may run on a thread that does I/O: they must be short and must not call the
     * application's code.
     *
     * @param patience if it has a waiter, the engine may let the thread do, until the reply is there or the patience is
     *     over, what a reply takes; otherwise this does not block
     */
    <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience);

    /**
     * Refuses from now on what was routed by an older version of the slot map, with {@link Refusal#STALE_ROUTE}. The future
     * completes when all that was sent before has been answered, or with a failed reply when this cannot be known; it never
     * completes exceptionally. An older version than the announced one changes nothing.
     */
    CompletableFuture<Reply<Boolean>> announce(long mapVersion);

    /**
     * Tells a listener from now on what the partition says without being asked, after {@link PushCommand.Track} and {@link
     * PushCommand.Subscribe}.
     *
     * <ul>
     *   <li>What the partition said before a reply is told before the future of that reply completes.
     *   <li>The last thing told is {@link Push.AllInvalidated}, when the connection is lost or closed: before {@link #lost}
     *       completes. A listener that is added later hears only that, at once.
     * </ul>
     */
    void listen(PushListener listener);

    /**
     * Returns the epoch of this life: a restarted partition has another one, so that nothing that it had kept is ever
     * served as if it were current.
     */
    int epoch();

    /** Returns a future that completes with the reason once this connection cannot be used any more. */
    CompletableFuture<String> lost();

    /** Gives the connection up: commands in flight become unknown. Does not throw; does nothing the second time. */
    @Override
    void close();
}

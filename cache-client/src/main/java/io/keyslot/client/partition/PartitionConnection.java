// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to one incarnation of one partition, after a successful handshake. Every command gets a reply within the
 * command's timeout. Thread-safe.
 */
public interface PartitionConnection extends AutoCloseable {
    /**
     * The maximum time for which a connection continues to work after its server learned that it no longer is the
     * primary, for example after it became a replica without closing connections. Later commands are not answered. A
     * former primary that does not know this is found out later, through Sentinel or the name service.
     */
    Duration LONGEST_UNNOTICED = Duration.ofSeconds(1);

    /**
     * Sends a command. Does not throw; the future never completes exceptionally. Continuations may run on an I/O
     * thread: they must be short and must not call application code. If the patience has a waiter, the engine may use
     * the calling thread for I/O until the reply arrives or the patience ends; otherwise this method does not block.
     */
    <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience);

    /**
     * Refuses commands that were routed by an older slot map with {@link Refusal#STALE_ROUTE} from now on. The future
     * completes when all commands sent before are answered, or with a failed reply if that cannot be determined; it
     * never completes exceptionally. A version older than the announced one has no effect.
     */
    CompletableFuture<Reply<Boolean>> announce(long mapVersion);

    /**
     * Adds a listener for pushes, which start after {@link Command.Track}.
     *
     * <ul>
     *   <li>A push that arrived before a reply is reported before the future of that reply completes.
     *   <li>The last push is {@link Push.AllInvalidated}, when the connection is lost or closed, before {@link #lost}
     *       completes. A listener that is added later receives only this push, at once.
     * </ul>
     */
    void listen(PushListener listener);

    /**
     * Returns the epoch of this incarnation. A restarted partition has another epoch, so its old entries are never
     * served as current.
     */
    int epoch();

    /** Returns a future that completes with the reason once this connection is unusable. */
    CompletableFuture<String> lost();

    /** Closes the connection. The outcome of commands in flight becomes unknown. Idempotent; does not throw. */
    @Override
    void close();
}

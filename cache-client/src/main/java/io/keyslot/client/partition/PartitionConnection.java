// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.concurrent.CompletableFuture;

/**
 * A connection to one life of one partition, after a successful handshake. Safe for use by several threads.
 *
 * <p>Every command gets a reply within the command's timeout.
 */
public interface PartitionConnection extends AutoCloseable {
    /**
     * Sends a command that was routed by this version of the slot map. Neither throws nor blocks; the future never
     * completes exceptionally. Its continuations may run on a thread that does I/O: they must be short and must not
     * call the application's code.
     */
    <R> CompletableFuture<Reply<R>> send(Command<R> command, long mapVersion);

    /**
     * Sends a command for a thread that has nothing to do but to wait for the reply. Returns its future when it is done or
     * the thread has no more patience. An engine may let the thread do meanwhile what a reply takes.
     */
    default <R> CompletableFuture<Reply<R>> exchange(Command<R> command, long mapVersion, Patience patience) {
        CompletableFuture<Reply<R>> reply = send(command, mapVersion);
        patience.await(reply);
        return reply;
    }

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

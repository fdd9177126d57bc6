// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.move.Answers;
import java.util.concurrent.CompletableFuture;

/** Queries one partition over a connection that stays open. For one thread. */
final class Pulse implements AutoCloseable {
    private final PartitionConnector connector;
    private CompletableFuture<Reply<PartitionConnection>> connecting =
            CompletableFuture.completedFuture(Reply.unknown("", null));
    private CompletableFuture<Reply<MemoryUse>> heartbeat =
            CompletableFuture.completedFuture(Reply.unknown("no answer yet", null));

    Pulse(PartitionConnector connector) {
        this.connector = connector;
    }

    /** Returns the answer to the pending query, or to a new one: there is never more than one. */
    CompletableFuture<Reply<MemoryUse>> heartbeat() {
        if (heartbeat.isDone()) {
            heartbeat = ask(new SlotTransfer.Memory());
        }
        return heartbeat;
    }

    /** Sends a command, over a new connection if the last one was lost. */
    <R> CompletableFuture<Reply<R>> ask(Command<R> command) {
        return connection()
                .thenCompose(connected -> connected instanceof Reply.Done<PartitionConnection> done
                        ? ask(done.value(), command)
                        : CompletableFuture.completedFuture(connected.as()));
    }

    private static <R> CompletableFuture<Reply<R>> ask(PartitionConnection connection, Command<R> command) {
        return connection.send(command, Route.ANY, Patience.UNLIMITED).thenApply(reply -> {
            if (reply instanceof Reply.Unknown) {
                connection.close();
            }
            return reply;
        });
    }

    private CompletableFuture<Reply<PartitionConnection>> connection() {
        boolean isUsable = !connecting.isDone()
                || (connecting.join() instanceof Reply.Done<PartitionConnection> done
                        && !done.value().lost().isDone());
        if (!isUsable) {
            connecting = Answers.reply(connector.connect());
        }
        return connecting;
    }

    @Override
    public void close() {
        connector.close();
    }
}

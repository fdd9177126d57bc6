// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.cluster.move.Answers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Checks whether one partition answers, over a connection that stays open. One request at a time. For one thread. */
final class Pulse implements AutoCloseable {
    private final PartitionConnector connector;
    private CompletableFuture<Reply<PartitionConnection>> connecting =
            CompletableFuture.completedFuture(Reply.unknown("", null));
    private CompletableFuture<Heartbeat> asked = CompletableFuture.completedFuture(Heartbeat.NONE);

    Pulse(PartitionConnector connector) {
        this.connector = connector;
    }

    /** The used memory of a partition, or null and the problem. */
    record Heartbeat(@Nullable MemoryUse memory, String problem) {
        static final Heartbeat NONE = new Heartbeat(null, "no answer yet");
    }

    /** Returns the answer to the pending request, or to a new one. */
    CompletableFuture<Heartbeat> heartbeat() {
        if (asked.isDone()) {
            asked = connection().thenCompose(Pulse::ask);
        }
        return asked;
    }

    private CompletableFuture<Reply<PartitionConnection>> connection() {
        boolean isConnected = connecting.join() instanceof Reply.Done<PartitionConnection> done
                && !done.value().lost().isDone();
        if (!isConnected) {
            connecting = Answers.reply(connector.connect());
        }
        return connecting;
    }

    private static CompletableFuture<Heartbeat> ask(Reply<PartitionConnection> connected) {
        if (connected instanceof Reply.Done<PartitionConnection> done) {
            return done.value()
                    .send(new SlotTransfer.Memory(), Route.ANY, Patience.UNLIMITED)
                    .thenApply(reply -> heartbeatOf(done.value(), reply));
        }
        String why = ((Reply.Unknown<PartitionConnection>) connected).detail();
        return CompletableFuture.completedFuture(new Heartbeat(null, why));
    }

    private static Heartbeat heartbeatOf(PartitionConnection connection, Reply<MemoryUse> reply) {
        if (reply instanceof Reply.Done<MemoryUse> done) {
            return new Heartbeat(done.value(), "");
        }
        if (reply instanceof Reply.Refused<MemoryUse> refused) {
            return new Heartbeat(null, refused.detail());
        }
        connection.close();
        return new Heartbeat(null, ((Reply.Unknown<MemoryUse>) reply).detail());
    }

    @Override
    public void close() {
        connector.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.serve;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Checks whether one partition answers, over a connection that stays open. One request at a time. For one thread. */
final class Pulse implements AutoCloseable {
    private final PartitionConnector connector;
    private CompletableFuture<Attempt> connecting = CompletableFuture.completedFuture(new Attempt(null, ""));
    private CompletableFuture<Heartbeat> asked = CompletableFuture.completedFuture(Heartbeat.NONE);

    Pulse(PartitionConnector connector) {
        this.connector = connector;
    }

    /** The used memory of a partition, or null and the problem. */
    record Heartbeat(@Nullable MemoryUse memory, String problem) {
        static final Heartbeat NONE = new Heartbeat(null, "no answer yet");
    }

    private record Attempt(@Nullable PartitionConnection made, String why) {}

    /** Returns the answer to the pending request, or to a new one. */
    CompletableFuture<Heartbeat> heartbeat() {
        if (asked.isDone()) {
            asked = connection().thenCompose(Pulse::ask);
        }
        return asked;
    }

    private CompletableFuture<Attempt> connection() {
        PartitionConnection made = connecting.join().made();
        if (made == null || made.lost().isDone()) {
            connecting = connector
                    .connect()
                    .handle((connected, failure) ->
                            failure == null ? new Attempt(connected, "") : new Attempt(null, reason(failure)));
        }
        return connecting;
    }

    private static CompletableFuture<Heartbeat> ask(Attempt attempt) {
        PartitionConnection connection = attempt.made();
        return connection == null
                ? CompletableFuture.completedFuture(new Heartbeat(null, attempt.why()))
                : connection
                        .send(new SlotTransfer.Memory(), Route.ANY, Patience.UNLIMITED)
                        .thenApply(reply -> heartbeatOf(connection, reply));
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

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ConnectFailure known ? known.reason() : String.valueOf(cause.getMessage());
    }

    @Override
    public void close() {
        connector.close();
    }
}

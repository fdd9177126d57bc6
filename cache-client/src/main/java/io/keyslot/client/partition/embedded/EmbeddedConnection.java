// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionOperations;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.time.Patience;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to one life of a partition in this process.
 *
 * <p>It ignores the version of the slot map: the slots of embedded partitions do not change owners.
 */
final class EmbeddedConnection implements PartitionConnection {
    private final String address;
    private final EmbeddedLife life;
    private final OpenConnections ofConnector;
    private final PartitionOperations operations;
    private final CompletableFuture<String> lost = new CompletableFuture<>();

    EmbeddedConnection(EmbeddedPartition partition, OpenConnections ofConnector) {
        this.address = partition.address();
        this.life = partition.life();
        this.ofConnector = ofConnector;
        this.operations = new EmbeddedOperations(life.entries(), life.epoch(), () -> partition.succeed(life));
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, long mapVersion, Patience patience) {
        return lost.isDone() || life.isEnded()
                ? CompletableFuture.completedFuture(
                        Reply.refused(Refusal.UNAVAILABLE, "the connection to " + address + " is lost"))
                : command.sendTo(operations);
    }

    @Override
    public int epoch() {
        return life.epoch();
    }

    EmbeddedLife life() {
        return life;
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** Makes this connection unusable. Does nothing the second time. */
    void lose(String reason) {
        lost.complete(reason);
        ofConnector.remove(this);
        life.forget(this);
    }

    @Override
    public void close() {
        lose("the connection to " + address + " was closed");
    }
}

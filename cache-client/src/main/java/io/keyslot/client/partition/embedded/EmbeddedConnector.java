// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.embedded.EmbeddedPartition.Incarnation;
import io.keyslot.client.partition.embedded.EmbeddedPartition.OpenConnections;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.slot.SlotMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connects to a partition in this process. There is no handshake, because each manager has its own partitions. No
 * command of a lost connection can be pending, because commands complete before they return.
 */
final class EmbeddedConnector implements PartitionConnector {
    private final EmbeddedPartition partition;
    private final OpenConnections connections = new OpenConnections();
    private final AtomicLong announced = new AtomicLong();

    EmbeddedConnector(EmbeddedPartition partition) {
        this.partition = partition;
    }

    @Override
    public String address() {
        return partition.address();
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        EmbeddedConnection connection = new EmbeddedConnection(partition, connections, announced.get());
        if (!connections.add(connection)) {
            return failed("this connector was closed");
        }
        long needed = connection.incarnation().entries().fences().minVersion();
        if (needed > announced.get()) {
            connections.remove(connection);
            return CompletableFuture.failedFuture(
                    ConnectFailure.outdated(address(), "the slot map has version %d there".formatted(needed), needed));
        }
        if (!connection.incarnation().connections().add(connection)) {
            connections.remove(connection);
            return failed("the partition was taken away; it must be restarted");
        }
        return CompletableFuture.completedFuture(connection);
    }

    @Override
    public void announce(SlotMap newest) {
        announced.accumulateAndGet(newest.version(), Math::max);
    }

    /** Does nothing, because the partition has no other users. */
    @Override
    public CompletableFuture<Void> look() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<AcceptorAnswer> recall(String namespace) {
        Incarnation incarnation = partition.incarnation();
        return incarnation.connections().isEnded()
                ? failed("the partition was taken away; it must be restarted")
                : CompletableFuture.completedFuture(
                        incarnation.register().ask(new RegisterCommand(namespace, new AcceptorRequest.Read())));
    }

    private <T> CompletableFuture<T> failed(String reason) {
        return CompletableFuture.failedFuture(
                ConnectFailure.at(address(), ConnectFailure.Kind.UNREACHABLE, "cannot connect: " + reason, null));
    }

    @Override
    public void close() {
        connections.end().forEach(connection -> connection.lose("the connector to " + address() + " was closed"));
    }
}

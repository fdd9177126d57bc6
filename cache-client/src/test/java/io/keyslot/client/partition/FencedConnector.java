// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.SlotMap;
import java.util.concurrent.CompletableFuture;

/** Connects in another's place, and sends everything as if all slots were on their way. */
public record FencedConnector(PartitionConnector connector, KeySlots slots) implements PartitionConnector {
    public FencedConnector(PartitionConnector connector) {
        this(connector, KeySlots.HASHED);
    }

    @Override
    public String address() {
        return connector.address();
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        return connector.connect().thenApply(connection -> new Fenced(connection, slots));
    }

    @Override
    public CompletableFuture<Void> look() {
        return connector.look();
    }

    @Override
    public CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return connector.recall(namespace);
    }

    @Override
    public void announce(SlotMap newest) {
        connector.announce(newest);
    }

    @Override
    public void close() {
        connector.close();
    }

    /** A connection on which everything is fenced. */
    public record Fenced(PartitionConnection connection, KeySlots slots) implements PartitionConnection {
        public Fenced(PartitionConnection connection) {
            this(connection, KeySlots.HASHED);
        }

        @Override
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            return connection.send(command, Route.fenced(route.mapVersion(), slots), patience);
        }

        @Override
        public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
            return connection.announce(mapVersion);
        }

        @Override
        public void listen(PushListener listener) {
            connection.listen(listener);
        }

        @Override
        public int epoch() {
            return connection.epoch();
        }

        @Override
        public CompletableFuture<String> lost() {
            return connection.lost();
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}

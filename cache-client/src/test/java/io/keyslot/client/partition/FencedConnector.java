// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.stored.KeySlots;
import java.util.concurrent.CompletableFuture;

/** Connects in another's place, and sends everything as if all slots were on their way. */
public final class FencedConnector extends ForwardingConnector {
    private final KeySlots slots;

    public FencedConnector(PartitionConnector connector) {
        this(connector, KeySlots.HASHED);
    }

    public FencedConnector(PartitionConnector connector, KeySlots slots) {
        super(connector);
        this.slots = slots;
    }

    @Override
    protected PartitionConnection over(PartitionConnection made) {
        return new Fenced(made, slots);
    }

    /** A connection on which everything is fenced. */
    public static final class Fenced extends ForwardingConnection {
        private final KeySlots slots;

        public Fenced(PartitionConnection connection) {
            this(connection, KeySlots.HASHED);
        }

        public Fenced(PartitionConnection connection, KeySlots slots) {
            super(connection);
            this.slots = slots;
        }

        @Override
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            return super.send(command, Route.fenced(route.mapVersion(), slots), patience);
        }
    }
}

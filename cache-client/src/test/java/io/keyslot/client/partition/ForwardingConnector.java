// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Connects as another one does; a subclass may put a connection of its own before what is made. */
public abstract class ForwardingConnector implements PartitionConnector {
    private final PartitionConnector connector;

    protected ForwardingConnector(PartitionConnector connector) {
        this.connector = connector;
    }

    /** Returns what is given out for a connection that was made. */
    protected abstract PartitionConnection over(PartitionConnection made);

    @Override
    public final CompletableFuture<PartitionConnection> connect() {
        return connector.connect().thenApply(this::over);
    }

    @Override
    public final String address() {
        return connector.address();
    }

    @Override
    public final CompletableFuture<Void> look() {
        return connector.look();
    }

    @Override
    public final CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return connector.recall(namespace);
    }

    @Override
    public final void announce(SlotMap newest) {
        connector.announce(newest);
    }

    @Override
    public final Duration patience() {
        return connector.patience();
    }

    @Override
    public final void close() {
        connector.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.concurrent.Patience;
import java.util.concurrent.CompletableFuture;

/** Does what another connection does, but for what a subclass does in its place. */
public abstract class ForwardingConnection implements PartitionConnection {
    protected final PartitionConnection connection;

    protected ForwardingConnection(PartitionConnection connection) {
        this.connection = connection;
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        return connection.send(command, route, patience);
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

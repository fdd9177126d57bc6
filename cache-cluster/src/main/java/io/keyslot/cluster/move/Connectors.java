// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.OperatorClient;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Sign;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Connectors for commands that are not routed by a map. Their connections always show the newest map that is known
 * here, even if idle, so that no {@link Barrier} waits for them. Safe for use by several threads.
 */
public final class Connectors implements AutoCloseable {
    private final OperatorClient.Door door;
    private final List<PartitionConnector> made = new ArrayList<>(); // guarded by this
    private final List<PartitionConnection> connected = new ArrayList<>(); // guarded by this
    private @Nullable SlotMap newest; // guarded by this

    public Connectors(OperatorClient.Door door) {
        this.door = door;
    }

    /** Returns a new connector to a partition, which need not be in the map yet. Closed with this object. */
    public PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption) {
        PartitionConnector connector = door.connector(partition, map, adoption);
        synchronized (this) {
            made.add(connector);
            if (newest != null && newest.version() > map.version()) {
                connector.announce(newest);
            }
        }
        return new Following(connector);
    }

    /** Shows a map on every connection, unless a newer one was shown. */
    public synchronized void know(PartitionMap map) {
        if (newest != null && newest.version() >= map.version()) {
            return;
        }
        newest = map.slotMap();
        made.forEach(connector -> connector.announce(map.slotMap()));
        connected.removeIf(connection -> connection.lost().isDone());
        connected.forEach(connection -> show(connection, map.slotMap()));
    }

    private static void show(PartitionConnection connection, SlotMap map) {
        CompletableFuture<Reply<Boolean>> unused = connection.announce(map.version());
    }

    private synchronized void follow(PartitionConnection connection) {
        connected.add(connection);
        if (newest != null) {
            show(connection, newest);
        }
    }

    private synchronized void forget(PartitionConnector connector) {
        made.remove(connector);
    }

    @Override
    public void close() {
        List<PartitionConnector> all;
        synchronized (this) {
            all = List.copyOf(made);
        }
        all.forEach(PartitionConnector::close);
    }

    private final class Following implements PartitionConnector {
        private final PartitionConnector connector;

        Following(PartitionConnector connector) {
            this.connector = connector;
        }

        @Override
        public String address() {
            return connector.address();
        }

        @Override
        public CompletableFuture<PartitionConnection> connect() {
            return connector.connect().thenApply(connection -> {
                follow(connection);
                return connection;
            });
        }

        @Override
        public CompletableFuture<Void> look() {
            return connector.look();
        }

        @Override
        public CompletableFuture<Sign.Sighting> look(Sign sign) {
            return connector.look(sign);
        }

        @Override
        public CompletableFuture<AcceptorAnswer> recall(String namespace) {
            return connector.recall(namespace);
        }

        @Override
        public void announce(SlotMap map) {
            connector.announce(map);
        }

        @Override
        public Duration patience() {
            return connector.patience();
        }

        @Override
        public void close() {
            forget(connector);
            connector.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.OperatorAssembly;
import io.keyslot.client.OperatorClient;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.config.read.ConfigurationLoader;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;

/**
 * A client of a program that changes the map and moves slots itself, by the properties of an application. Safe for use by several
 * threads.
 */
public final class MapClient implements AutoCloseable {
    private static final URI WHO = URI.create("keyslot:moves");

    private final OperatorClient client;
    private final MoveTime time;
    private final MapStore maps;
    private final Connectors connectors;

    private MapClient(OperatorClient client) {
        this.client = client;
        this.time = new MoveTime(client.timing().ticker(), client.waiter());
        this.connectors = new Connectors(client.door());
        this.maps = new Followed(new CatalogueMaps(client.catalogue(), time), client.source(), connectors);
    }

    /**
     * What is stored here is known here at once: no barrier waits until this client looks. What was prepared is stored while others
     * wait, and no barrier waits for it.
     */
    private record Followed(MapStore maps, CatalogueSource source, Connectors connectors) implements MapStore {
        @Override
        public PartitionMap read() throws UnavailableException {
            return maps.read();
        }

        @Override
        public Stored compareAndSet(PartitionMap before, PartitionMap next) {
            Stored stored = maps.compareAndSet(before, next);
            if (stored == Stored.DONE) {
                connectors.know(next);
            }
            CompletableFuture<PartitionMap> unused = source.refresh(next.version());
            return stored;
        }

        @Override
        public Prepared prepare(PartitionMap before, PartitionMap next) {
            return maps.prepare(before, next);
        }
    }

    /**
     * Connects.
     *
     * @param properties as those of an application's manager
     */
    public static MapClient open(Properties properties) {
        return new MapClient(new OperatorAssembly()
                .assemble(ConfigurationLoader.load(
                        WHO, WHO, MapClient.class.getClassLoader(), properties, System::getenv)));
    }

    /** Returns where the map is agreed on. */
    public MapStore maps() {
        return maps;
    }

    /** Returns the clock that everything here goes by. */
    public MoveTime time() {
        return time;
    }

    /** Returns the newest map. */
    public PartitionMap map() {
        try {
            return maps.read();
        } catch (MapStore.UnavailableException e) {
            throw new IllegalStateException("The map cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns a new connector to a partition of the map, which is marked as that if nobody has used it. Closed with this. */
    public PartitionConnector connector(PartitionId id) {
        PartitionMap map = map();
        MappedPartition partition =
                map.partition(id).orElseThrow(() -> new IllegalArgumentException("The map has no partition " + id));
        return connectors.connector(partition, map, Adoption.UNUSED);
    }

    /** Forgets the connections. */
    @Override
    public void close() {
        connectors.close();
        client.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import java.util.List;

/**
 * A client without caches: what an operator's commands need of a configuration. {@link OperatorAssembly} makes it. Safe for use
 * by several threads.
 *
 * @param options what was configured
 * @param configured the map that follows from it
 * @param source follows the catalogue
 * @param door how partitions are reached
 * @param timing where time, timers and chance come from
 * @param waiter waits, and nobody else does
 * @param closing what has to be closed, in order
 */
public record OperatorClient(
        ClientOptions options,
        PartitionMap configured,
        CatalogueSource source,
        Door door,
        Timing timing,
        Waiter waiter,
        List<Runnable> closing)
        implements AutoCloseable {

    /** How the partitions of a map are reached. */
    @FunctionalInterface
    public interface Door {
        /**
         * Returns a new connector to a partition of a map, or to one that is to be in it; nothing is connected yet. Who asks
         * for it closes it.
         *
         * @throws IllegalArgumentException if the partition lives in another process
         */
        PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption);
    }

    /** Returns where the map is agreed on. */
    public Catalogue catalogue() {
        return source.catalogue();
    }

    /** Gives everything up; the first failure carries the others. To be called once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}

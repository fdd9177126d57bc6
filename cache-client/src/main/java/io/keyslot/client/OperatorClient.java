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

/** A client without caches, for an operator's commands, created by {@link OperatorAssembly}. Thread-safe. */
public record OperatorClient(
        ClientOptions options,
        PartitionMap configured,
        CatalogueSource source,
        Door door,
        Timing timing,
        Waiter waiter,
        List<Runnable> closing)
        implements AutoCloseable {
    @FunctionalInterface
    public interface Door {
        /**
         * Returns a new connector to a partition of a map, or a planned one. It is not connected yet; the caller closes
         * it. Throws {@code IllegalArgumentException} if the partition is in another process.
         */
        PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption);
    }

    public Catalogue catalogue() {
        return source.catalogue();
    }

    /** Closes all parts; the first failure has the others as suppressed. Call this once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The map that each client computes from its configuration; its version is always 1. */
public record ConfigurationCatalogue(PartitionMap map) implements Catalogue {
    @Override
    public CompletableFuture<CatalogueAnswer> read() {
        return CompletableFuture.completedFuture(new CatalogueAnswer.Ok(map));
    }

    @Override
    public CompletableFuture<Optional<MapStamp>> peek() {
        return CompletableFuture.completedFuture(Optional.of(map.stamp()));
    }

    @Override
    public CompletableFuture<Optional<PartitionMap>> copy() {
        return CompletableFuture.completedFuture(Optional.of(map));
    }

    @Override
    public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
        return CompletableFuture.completedFuture(new CatalogueAnswer.Invalid(
                "the map is the one of the configuration, which only changes with it; to change it while clients run, set"
                        + " catalogue: instances in the configuration of all of them"));
    }

    @Override
    public CompletableFuture<CatalogueAnswer> repeat(PartitionMap next) {
        return compareAndSet(next);
    }

    @Override
    public void close() {}
}

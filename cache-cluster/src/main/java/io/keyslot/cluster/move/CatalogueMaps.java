// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.copy.MoveTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A blocking view of the catalogue for coordinators. Safe for use by several threads. */
public record CatalogueMaps(Catalogue catalogue, MoveTime time) implements MapStore {
    /** In addition to the catalogue's own time limits. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Override
    public PartitionMap read() throws UnavailableException {
        return known(await(catalogue.read()));
    }

    @Override
    public PartitionMap look() throws UnavailableException {
        return known(await(catalogue.look()));
    }

    private static PartitionMap known(CatalogueAnswer answer) throws UnavailableException {
        if (answer instanceof CatalogueAnswer.Ok ok) {
            return ok.map();
        }
        throw new UnavailableException(answer.why());
    }

    @Override
    public Stored compareAndSet(PartitionMap before, PartitionMap next) {
        return stored(await(catalogue.compareAndSet(next)));
    }

    @Override
    public Prepared prepare(PartitionMap before, PartitionMap next) {
        Catalogue.Prepared prepared =
                time.await(catalogue.prepare(next), LONGEST, () -> () -> catalogue.compareAndSet(next));
        return () -> prepared.store().thenApply(CatalogueMaps::stored);
    }

    private static Stored stored(CatalogueAnswer answer) {
        if (answer instanceof CatalogueAnswer.Ok) {
            return Stored.DONE;
        }
        return answer instanceof CatalogueAnswer.Unknown ? Stored.UNKNOWN : Stored.CONFLICT;
    }

    private CatalogueAnswer await(CompletableFuture<CatalogueAnswer> answer) {
        return time.await(answer, LONGEST, () -> new CatalogueAnswer.Unknown("no answer in time"));
    }
}

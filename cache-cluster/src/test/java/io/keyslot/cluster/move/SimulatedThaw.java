// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.StuckSlotRecovery;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.slot.PartitionId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What one process of a simulation does about slots that are frozen: what every client does, with a guard or without. */
final class SimulatedThaw {
    private final StuckSlotRecovery recovery;

    /** @param isAlone whether it asks nobody, and thaws */
    SimulatedThaw(
            SimulatedMaps maps, Function<PartitionId, PartitionConnector> connectors, Timing timing, boolean isAlone) {
        this.recovery =
                new StuckSlotRecovery(maps::now, new Agreed(maps, isAlone), new Ways(maps, connectors)::ask, timing);
    }

    void refused() {
        recovery.refused();
    }

    /** A connection for each question. */
    private record Ways(SimulatedMaps maps, Function<PartitionId, PartitionConnector> connectors) {
        <R> CompletableFuture<Reply<R>> ask(PartitionId partition, Command<R> command) {
            PartitionConnector connector = connectors.apply(partition);
            connector.announce(maps.now().slotMap());
            return connector
                    .connect()
                    .thenCompose(connection -> connection
                            .send(command, Route.ANY, Patience.UNLIMITED)
                            .whenComplete((reply, failure) -> connection.close()))
                    .exceptionally(failure -> Reply.unknown("cannot be reached", failure));
        }
    }

    /** The catalogue, as clients ask it: without waiting. */
    private record Agreed(SimulatedMaps maps, boolean isAlone) implements Catalogue {
        @Override
        public CompletableFuture<CatalogueAnswer> read() {
            return maps.answer(() -> new CatalogueAnswer.Ok(maps.now()));
        }

        @Override
        public CompletableFuture<Optional<MapStamp>> stamp() {
            return CompletableFuture.completedFuture(Optional.of(maps.now().stamp()));
        }

        @Override
        public CompletableFuture<Optional<PartitionMap>> copy() {
            return CompletableFuture.completedFuture(Optional.of(maps.now()));
        }

        @Override
        public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
            return isAlone
                    ? CompletableFuture.completedFuture(new CatalogueAnswer.Ok(next))
                    : maps.answer(() -> maps.answered(next));
        }

        @Override
        public CompletableFuture<CatalogueAnswer> repeat(PartitionMap next) {
            return compareAndSet(next);
        }

        @Override
        public void close() {}
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.catalogue.InstancesCatalogue;
import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.catalogue.StuckSlotRecovery;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.health.Partition;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.register.Acceptor;
import io.keyslot.client.register.Register;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the source of a client's partitions according to its options.
 *
 * <p>Only a catalogue of the instances has a thread; there may be no topology yet.
 */
record CatalogueAssembly(
        ClientOptions options,
        Timing timing,
        Clockwork clockwork,
        String client,
        AtomicReference<@Nullable CurrentTopology> topology,
        Deque<Runnable> closing) {
    /** The number of reads of the catalogue that wait behind a slow one; further ones fail. */
    private static final int CATALOGUE_QUEUE = 10;

    TopologySource source() {
        PartitionMap configured = ConfiguredMap.of(options);
        if (options.catalogue().kind() == CatalogueOptions.Kind.CONFIGURATION) {
            return TopologySource.fixed(new Layout(
                    configured.slotMap(),
                    options.partitions(),
                    Map.of(),
                    configured.content().placements().forRouting()));
        }
        Catalogue catalogue = catalogue(configured);
        CatalogueSource source = new CatalogueSource(catalogue, configured, MapLayouts.of(options), timing);
        source.warnOfFrozen(new StuckSlotRecovery(source::map, catalogue, this::ask, timing)::refused);
        return source;
    }

    private <R> CompletableFuture<Reply<R>> ask(PartitionId id, Command<R> command) {
        Partition partition = partition(id);
        return partition == null
                ? CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "this client knows no " + id))
                : partition.send(command, Route.ANY, Patience.UNLIMITED);
    }

    Catalogue catalogue(PartitionMap configured) {
        if (options.catalogue().kind() == CatalogueOptions.Kind.CONFIGURATION) {
            return new ConfigurationCatalogue(configured);
        }
        Function<PartitionId, Acceptor> acceptors =
                new PartitionAcceptors(this::partition, options.namespace(), timing.ticker());
        String key = options.catalogue().key();
        Register register = new Register(
                this::instances, key.isEmpty() ? acceptors : acceptors.andThen(Acceptor.sealed(key)), timing);
        ExecutorService pool = clockwork.pool(client, "catalogue", 1, CATALOGUE_QUEUE);
        closing.push(pool::shutdownNow);
        return new InstancesCatalogue(register, configured, timing, pool);
    }

    private Set<PartitionId> instances() {
        Topology now = presentOf(topology);
        return now == null
                ? Set.of()
                : now.partitions().stream().map(Partition::id).collect(Collectors.toSet());
    }

    private @Nullable Partition partition(PartitionId id) {
        Topology now = presentOf(topology);
        return now == null ? null : now.partition(id);
    }

    static @Nullable Topology presentOf(AtomicReference<@Nullable CurrentTopology> made) {
        CurrentTopology topology = made.get();
        return topology == null ? null : topology.get();
    }

    /** The map that each client computes from its configuration; its version is always 1. */
    private record ConfigurationCatalogue(PartitionMap map) implements Catalogue {
        @Override
        public CompletableFuture<CatalogueAnswer> read() {
            return CompletableFuture.completedFuture(new CatalogueAnswer.Ok(map));
        }

        @Override
        public CompletableFuture<Optional<MapStamp>> stamp() {
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
        public void close() {}
    }
}

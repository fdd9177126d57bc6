// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client without caches, for an operator's commands. It claims no instance. Thread-safe. */
public record OperatorClient(
        ClientOptions options,
        PartitionMap configured,
        CatalogueSource source,
        Door door,
        Timing timing,
        Waiter waiter,
        List<Runnable> closing)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorClient.class);
    /** The wait for the first replies, in addition to the configured start. */
    private static final Duration START_GRACE = Duration.ofSeconds(1);

    /** The least time for commands and for the first connections: a tool is run when servers are slow. */
    private static final Duration SHORTEST = Duration.ofSeconds(5);

    private static final String NAME = "operator";

    @FunctionalInterface
    public interface Door {
        /**
         * Returns a new connector to a partition of a map, or a planned one. It is not connected yet; the caller closes
         * it. Throws {@code IllegalArgumentException} if the partition is in another process.
         */
        PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption);
    }

    /** Creates a client and connects it, as far as partitions can be reached and accept it. */
    public static OperatorClient open(ClientOptions options) {
        Clockwork clockwork = Clockwork.ofMachine();
        Deque<Runnable> closing = new ArrayDeque<>();
        try {
            return open(options, clockwork, closing);
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.copyOf(closing));
            throw e;
        }
    }

    private static OperatorClient open(ClientOptions options, Clockwork clockwork, Deque<Runnable> closing) {
        Timing timing = timing(clockwork, closing);
        PartitionMap configured = ConfiguredMap.of(options);
        AtomicReference<@Nullable CurrentTopology> topology = new AtomicReference<>();
        Catalogue catalogue =
                new CatalogueAssembly(options, timing, clockwork, NAME, topology, closing).catalogue(configured);
        CatalogueSource source = new CatalogueSource(catalogue, configured, MapLayouts.of(options), timing);
        closing.push(source::close);
        Door door = options.engine() == ClientOptions.Engine.EMBEDDED
                ? OperatorClient::unreachable
                : door(options, source, timing, clockwork, topology, closing);
        return new OperatorClient(options, configured, source, door, timing, clockwork.waiter(), List.copyOf(closing));
    }

    private static Timing timing(Clockwork clockwork, Deque<Runnable> closing) {
        ScheduledExecutorService scheduler = clockwork.scheduler(NAME);
        closing.push(scheduler::shutdownNow);
        return new Timing(
                clockwork.ticker(), scheduler, new Random(clockwork.seeds().nextLong()));
    }

    private static PartitionConnector unreachable(MappedPartition partition, PartitionMap map, Adoption adoption) {
        throw new IllegalArgumentException(
                "Partition %s is embedded in the application, and other processes cannot reach it"
                        .formatted(partition.name()));
    }

    private static Door door(
            ClientOptions options,
            CatalogueSource source,
            Timing timing,
            Clockwork clockwork,
            AtomicReference<@Nullable CurrentTopology> made,
            Deque<Runnable> closing) {
        RedisResources resources = RedisResources.create(clockwork.ticker());
        closing.push(resources::close);
        String name = "%s-%08x".formatted(NAME, timing.random().nextInt());
        ConnectorAssembly connectors = new ConnectorAssembly(resources, options, patient(options.deadlines()), name);
        MapLayouts layouts = MapLayouts.of(options);
        if (options.catalogue().kind() == CatalogueOptions.Kind.INSTANCES) {
            CurrentTopology topology = topology(source, timing, connectors);
            closing.push(topology::close);
            made.set(topology);
            connect(topology, source, longer(options.startupWait()), clockwork.waiter());
        }
        return (partition, map, adoption) -> connectors.connector(layouts.options(partition), map.slotMap(), adoption);
    }

    /** A coordinator sends larger commands than an application, and copies everything again after a timeout. */
    private static Deadlines patient(Deadlines deadlines) {
        return deadlines.command().compareTo(SHORTEST) < 0
                ? new Deadlines(longer(deadlines.call()), SHORTEST, deadlines.connect())
                : deadlines;
    }

    private static Duration longer(Duration duration) {
        return duration.compareTo(SHORTEST) < 0 ? SHORTEST : duration;
    }

    private static CurrentTopology topology(CatalogueSource source, Timing timing, ConnectorAssembly connectors) {
        ConnectLimit connects = new ConnectLimit();
        return new CurrentTopology(
                source.first(),
                partition -> new Partition(
                        partition.name(),
                        connectors.connector(partition, source.first().slotMap(), Adoption.NEVER),
                        connects,
                        timing,
                        Telemetry.NONE),
                timing);
    }

    /** Partitions that reject this client are treated like those that do not answer. */
    private static void connect(CurrentTopology topology, CatalogueSource source, Duration wait, Waiter waiter) {
        topology.ask(source);
        source.listen(layout -> Futures.whenOver(topology.offer(layout), (adopted, failure) -> {}));
        List<ConnectFailure> rejections =
                waiter.awaitClose(topology.start(wait, true), wait.plus(START_GRACE), List::of);
        rejections.forEach(rejection -> LOG.warn("{}", rejection.getMessage()));
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.partition.redis.cluster.ClusterHome;
import io.keyslot.client.routing.CurrentTopology;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles an {@link OperatorClient}. Thread-safe. */
public final class OperatorAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorAssembly.class);

    /** The wait for the first replies, in addition to the configured start. */
    private static final Duration START_GRACE = Duration.ofSeconds(1);

    /** The shortest timeout of a coordinator's commands, whatever the application's deadlines are. */
    private static final Duration SHORTEST_COMMAND = Duration.ofSeconds(5);

    private static final int CATALOGUE_QUEUE = 10;
    private static final String NAME = "operator";

    private final Clockwork clockwork = new SystemClockwork();
    private final SharedRedis redis = new SharedRedis(() -> RedisResources.create(clockwork.ticker()::nanos));

    /** Creates a client and connects it, as far as partitions can be reached and accept it. It claims no instance. */
    public OperatorClient assemble(ClientOptions options) {
        Deque<Runnable> closing = new ArrayDeque<>(); // closed in reverse order
        try {
            return make(options, closing);
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.copyOf(closing));
            throw e;
        }
    }

    /** Creates a client of a cluster. It connects when it is first used, and claims no instance. */
    public OperatorNodes nodes(ClientOptions options) {
        Deque<Runnable> closing = new ArrayDeque<>();
        try {
            Timing timing = timing(closing);
            RedisResources resources = redis.acquire();
            closing.push(redis::release);
            ClusterHome home = new ConnectorAssembly(resources, options, nameOfTool(timing)).cluster(Adoption.NEVER);
            closing.push(home::close);
            Deadlines deadlines = options.deadlines();
            return new OperatorNodes(
                    home,
                    deadlines.connect().plus(deadlines.command()),
                    timing,
                    clockwork.waiter(),
                    List.copyOf(closing));
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.copyOf(closing));
            throw e;
        }
    }

    private Timing timing(Deque<Runnable> closing) {
        ScheduledExecutorService scheduler = clockwork.scheduler(NAME);
        closing.push(scheduler::shutdownNow);
        return new Timing(
                clockwork.ticker(), scheduler, new Random(clockwork.seeds().nextLong()));
    }

    private static String nameOfTool(Timing timing) {
        return "%s-%08x".formatted(NAME, timing.random().nextInt());
    }

    private OperatorClient make(ClientOptions options, Deque<Runnable> closing) {
        Timing timing = timing(closing);
        PartitionMap configured = ConfiguredMap.of(options);
        AtomicReference<@Nullable CurrentTopology> topology = new AtomicReference<>();
        Catalogue catalogue = new CatalogueAssembly(
                        options,
                        timing,
                        () -> {
                            ExecutorService pool = clockwork.pool(NAME, "catalogue", 1, CATALOGUE_QUEUE);
                            closing.push(pool::shutdownNow);
                            return pool;
                        },
                        () -> {
                            CurrentTopology made = topology.get();
                            return made == null ? null : made.get();
                        })
                .catalogue(configured);
        CatalogueSource source = new CatalogueSource(catalogue, configured, MapLayouts.of(options), timing);
        closing.push(source::close);
        OperatorClient.Door door =
                options.engine() == Engine.EMBEDDED ? new NoDoor() : door(options, source, timing, topology, closing);
        return new OperatorClient(options, configured, source, door, timing, clockwork.waiter(), List.copyOf(closing));
    }

    private OperatorClient.Door door(
            ClientOptions options,
            CatalogueSource source,
            Timing timing,
            AtomicReference<@Nullable CurrentTopology> made,
            Deque<Runnable> closing) {
        RedisResources resources = redis.acquire();
        closing.push(redis::release);
        String name = nameOfTool(timing);
        InstancesDoor door = new InstancesDoor(
                new ConnectorAssembly(resources, options, patient(options.deadlines()), name), MapLayouts.of(options));
        if (options.catalogue().kind() == CatalogueOptions.Kind.INSTANCES) {
            CurrentTopology topology = topology(source, timing, new ConnectorAssembly(resources, options, name));
            closing.push(topology::close);
            made.set(topology);
            connect(topology, source, options.startupWait());
        }
        return door;
    }

    /** A coordinator sends larger commands than an application, and copies everything again after a timeout. */
    private static Deadlines patient(Deadlines deadlines) {
        return deadlines.command().compareTo(SHORTEST_COMMAND) < 0
                ? new Deadlines(longer(deadlines.call()), SHORTEST_COMMAND, deadlines.connect())
                : deadlines;
    }

    private static Duration longer(Duration duration) {
        return duration.compareTo(SHORTEST_COMMAND) < 0 ? SHORTEST_COMMAND : duration;
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
                        PartitionObserver.NONE),
                timing);
    }

    /** Partitions that reject this client are treated like those that do not answer. */
    private void connect(CurrentTopology topology, CatalogueSource source, Duration wait) {
        topology.ask(source);
        source.listen(layout -> Futures.whenOver(topology.offer(layout), (adopted, failure) -> {}));
        List<ConnectFailure> rejections =
                clockwork.waiter().awaitClose(topology.start(wait), wait.plus(START_GRACE), List::of);
        rejections.forEach(rejection -> LOG.warn("{}", rejection.getMessage()));
    }

    private record InstancesDoor(ConnectorAssembly connectors, MapLayouts layouts) implements OperatorClient.Door {
        @Override
        public PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption) {
            return connectors.connector(layouts.options(partition), map.slotMap(), adoption);
        }
    }

    private static final class NoDoor implements OperatorClient.Door {
        @Override
        public PartitionConnector connector(MappedPartition partition, PartitionMap map, Adoption adoption) {
            throw new IllegalArgumentException(
                    "Partition %s lives in the process of the application, which nobody else reaches"
                            .formatted(partition.name()));
        }
    }
}

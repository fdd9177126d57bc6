// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.cluster.ClusterSource;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.concurrent.WorkPool;
import io.keyslot.client.config.AsyncOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.GroupWatch;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.health.PartitionObserver;
import io.keyslot.client.invalidation.InvalidationStream;
import io.keyslot.client.near.NearCaches;
import io.keyslot.client.near.TrackedConnections;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.replica.OwnWrites;
import io.keyslot.client.replica.Replicas;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.client.routing.TrafficReports;
import io.keyslot.client.telemetry.Meters;
import io.keyslot.client.telemetry.MetersSelection;
import io.keyslot.client.telemetry.ObservationSelection;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles a client, in order: the partitions, the access to them, the router, and the threads. {@code CacheAssembly}
 * does the same for one cache. Thread-safe.
 */
public final class ClientAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(ClientAssembly.class);

    /** A garbage collection or a busy scheduler often delays replies by more than this. */
    private static final Duration SHORT_COMMAND = Duration.ofMillis(10);

    /** The wait for the first replies of partitions, in addition to the configured start. */
    private static final Duration START_GRACE = Duration.ofSeconds(1);

    /**
     * The number of cache writers of one client that run at a time. They have their own threads, as calls that wait for
     * a place in the writer's queue must not prevent it from running.
     */
    private static final int WRITER_THREADS = 4;

    /** Each cache with write-behind has at most one task; a rejected task is repeated. */
    private static final int WRITER_QUEUE = 1_000;

    /** The number of reads of the catalogue that wait behind a slow one; further ones fail. */
    private static final int CATALOGUE_QUEUE = 10;

    private final Clockwork clockwork;
    private final Function<ClientOptions, EmbeddedPartitions> embedding;
    private final @Nullable Function<ClientOptions, TopologySource> sources;
    private final ConnectLimit connects = new ConnectLimit();
    private final ManagerNames names = new ManagerNames();
    private final SharedRedis redis;

    /** Creates an assembly for clients with the clock of this machine, each with its own embedded partitions. */
    public ClientAssembly() {
        this(new SystemClockwork());
    }

    /**
     * Creates an assembly for clients with other threads and name servers for instances, which {@code redis} creates
     * for the first client.
     */
    public ClientAssembly(Supplier<RedisResources> redis) {
        this(new SystemClockwork(), options -> partitionsOf(options, new SystemTicker()), null, redis);
    }

    private ClientAssembly(Clockwork clockwork) {
        this(clockwork, options -> partitionsOf(options, clockwork.ticker()));
    }

    /**
     * Creates an assembly with another clock, or with shared embedded partitions, for tests of applications by
     * {@code io.keyslot.testkit}. {@code embedding} returns the partitions that the options of a client name.
     */
    public ClientAssembly(Clockwork clockwork, Function<ClientOptions, EmbeddedPartitions> embedding) {
        this(clockwork, embedding, null);
    }

    /** Creates an assembly for clients whose partitions change, as their {@code sources} report. */
    public ClientAssembly(Function<ClientOptions, TopologySource> sources) {
        this(new SystemClockwork(), options -> partitionsOf(options, new SystemTicker()), sources);
    }

    /**
     * Creates an assembly with another clock for clients whose partitions change, or do not if {@code sources} is null.
     */
    public ClientAssembly(
            Clockwork clockwork,
            Function<ClientOptions, EmbeddedPartitions> embedding,
            @Nullable Function<ClientOptions, TopologySource> sources) {
        this(clockwork, embedding, sources, () -> RedisResources.create(clockwork.ticker()::nanos));
    }

    private ClientAssembly(
            Clockwork clockwork,
            Function<ClientOptions, EmbeddedPartitions> embedding,
            @Nullable Function<ClientOptions, TopologySource> sources,
            Supplier<RedisResources> redis) {
        this.clockwork = clockwork;
        this.embedding = embedding;
        this.sources = sources;
        this.redis = new SharedRedis(redis);
    }

    /**
     * Creates a client and connects it; partitions that cannot be reached do not prevent the start. {@code wanted} is
     * the name of the manager in threads, meters and logs; a number is appended if it is in use. Throws
     * {@link CacheException} if a partition answers and rejects the client.
     */
    public Client assemble(String wanted, ClientOptions options, Properties properties) {
        Deque<Runnable> closing = new ArrayDeque<>(); // closed in reverse order
        String name = names.claim(wanted);
        closing.push(() -> names.release(name));
        try {
            Frame frame = new Frame(timing(name, closing), new AtomicReference<>(), closing);
            ConnectorAssembly connectors = options.engine().isAddressed() ? connectors(options, frame) : null;
            TopologySource source = sources == null ? source(name, options, connectors, frame) : sources.apply(options);
            closing.push(source::close);
            Client client = make(name, options, properties, source, connectors, frame);
            client.meters().watch(client.router());
            source.listen(client::follow); // before the start, which may find a newer map
            start(name, client);
            source.look();
            return client;
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.copyOf(closing));
            throw e;
        }
    }

    public Waiter waiter() {
        return clockwork.waiter();
    }

    /** The parts of a client that others need during the assembly. */
    private record Frame(Timing timing, AtomicReference<@Nullable CurrentTopology> topology, Deque<Runnable> closing) {
        @Nullable
        Topology present() {
            CurrentTopology made = topology.get();
            return made == null ? null : made.get();
        }
    }

    private Timing timing(String name, Deque<Runnable> closing) {
        RandomGenerator random = new Random(clockwork.seeds().nextLong());
        ScheduledExecutorService scheduler = clockwork.scheduler(name);
        closing.push(scheduler::shutdownNow);
        return new Timing(clockwork.ticker(), scheduler, random);
    }

    private TopologySource source(
            String name, ClientOptions options, @Nullable ConnectorAssembly connectors, Frame frame) {
        if (options.engine() == Engine.CLUSTER) {
            return cluster(options, Objects.requireNonNull(connectors), frame);
        }
        return new CatalogueAssembly(
                        options,
                        frame.timing(),
                        () -> {
                            ExecutorService pool = clockwork.pool(name, "catalogue", 1, CATALOGUE_QUEUE);
                            frame.closing().push(pool::shutdownNow);
                            return pool;
                        },
                        frame::present)
                .source();
    }

    private ClusterSource cluster(ClientOptions options, ConnectorAssembly connectors, Frame frame) {
        ClusterSource source = new ClusterSource(
                connectors.cluster(options.adoptInstances()), connectors.servers(), frame::present, frame.timing());
        try {
            source.begin(clockwork.waiter(), options.startupWait());
        } catch (RuntimeException | Error e) {
            source.close();
            throw e;
        }
        source.watchEpoch();
        return source;
    }

    private Client make(
            String name,
            ClientOptions options,
            Properties properties,
            TopologySource source,
            @Nullable ConnectorAssembly made,
            Frame frame) {
        Layout first = source.first();
        Deque<Runnable> closing = frame.closing();
        ClientPools pools = pools(name, options, frame);
        Meters meters = MetersSelection.select(options.metrics(), name, properties);
        closing.push(meters::close);
        ClientTelemetry telemetry =
                new ClientTelemetry(meters, ObservationSelection.select(name, properties, clockwork.ticker()));
        Optional<EmbeddedPartitions> embedded =
                options.engine() == Engine.EMBEDDED ? Optional.of(embedding.apply(options)) : Optional.empty();
        TrackedConnections links = new TrackedConnections(frame.timing());
        Function<PartitionOptions, PartitionConnector> connectors = made == null
                ? partition -> embedded.orElseThrow().connector(partition.name())
                : partition -> made.connector(partition, first.slotMap(), options.adoptInstances());
        CurrentTopology topology = topology(first, connectors, telemetry, links, frame);
        topology.ask(source);
        closing.push(topology::close);
        PartitionRouter router = router(options, topology, telemetry, frame);
        InvalidationStream subscriptions = new InvalidationStream(connectors, connects, frame.timing(), first);
        closing.push(subscriptions::close);
        OwnWrites writes = new OwnWrites(clockwork.ticker());
        Replicas replicas = replicas(
                topology,
                made,
                writes,
                new Replicas.Surroundings(connects, frame.timing(), options.zone(), meters.followers()),
                closing);
        return new Client(
                options,
                router,
                clockwork.waiter(),
                frame.timing(),
                pools,
                entries(
                        options,
                        router,
                        telemetry,
                        new ClientReads(new NearCaches(links, router, clockwork.ticker()), replicas),
                        new Hearing(subscriptions, writes),
                        frame.timing()),
                meters,
                embedded,
                source,
                List.copyOf(closing));
    }

    /** Returns whether to report traffic; no other process could read reports from embedded partitions. */
    private static boolean isReporting(ClientOptions options) {
        return options.engine() == Engine.INSTANCES && !options.trafficReports().isZero();
    }

    private ClientPools pools(String name, ClientOptions options, Frame frame) {
        Deque<Runnable> closing = frame.closing();
        WorkPool pool = workPool(name, options.async(), frame.timing());
        closing.push(pool::shutdown);
        ExecutorService writers = clockwork.pool(name, "writer", WRITER_THREADS, WRITER_QUEUE);
        closing.push(writers::shutdown);
        ExecutorService loaders = clockwork.pool(name, "load", options.loadingThreads(), 0);
        closing.push(loaders::shutdownNow); // a closed cache does not need the values
        ExecutorService refreshes = clockwork.pool(name, "refresh", options.loadingThreads(), 0);
        closing.push(refreshes::shutdownNow);
        return new ClientPools(pool, loaders, refreshes, writers);
    }

    private CurrentTopology topology(
            Layout first,
            Function<PartitionOptions, PartitionConnector> connectors,
            ClientTelemetry telemetry,
            TrackedConnections links,
            Frame frame) {
        Timing timing = frame.timing();
        PartitionObserver observer = telemetry.meters().partitions();
        CurrentTopology topology = new CurrentTopology(
                first,
                given -> {
                    Partition partition =
                            new Partition(given.name(), connectors.apply(given), connects, timing, observer);
                    partition.tell(links);
                    return partition;
                },
                timing);
        topology.tell(links);
        frame.topology().set(topology);
        return topology;
    }

    private static PartitionRouter router(
            ClientOptions options, CurrentTopology topology, ClientTelemetry telemetry, Frame frame) {
        Timing timing = frame.timing();
        TrafficSampler sampler = isReporting(options) ? new TrafficSampler(timing.random()) : null;
        PartitionRouter router = new PartitionRouter(
                topology,
                timing,
                options.deadlines().command(),
                telemetry.meters().commands(),
                sampler,
                telemetry.observations().commands());
        frame.closing().push(router::close);
        if (sampler != null) {
            TrafficReports traffic = new TrafficReports(router, sampler, timing, options.trafficReports());
            frame.closing().push(traffic::close);
            traffic.start();
        }
        return router;
    }

    private record Hearing(InvalidationStream subscriptions, OwnWrites writes) {}

    /** Without an engine of instances, there are no replicas, and {@code connectors} is not used. */
    private Replicas replicas(
            CurrentTopology topology,
            @Nullable ConnectorAssembly connectors,
            OwnWrites writes,
            Replicas.Surroundings around,
            Deque<Runnable> closing) {
        Replicas replicas = new Replicas(
                topology,
                (replica, now) -> Objects.requireNonNull(connectors).replica(replica, now.slotMap()),
                around,
                writes);
        closing.push(replicas::close);
        return replicas;
    }

    private ClientEntries entries(
            ClientOptions options,
            PartitionRouter router,
            ClientTelemetry telemetry,
            ClientReads reads,
            Hearing invalidation,
            Timing timing) {
        ReadHistory history = telemetry.observations().history(timing.ticker());
        RecentWrites writes = new RecentWrites();
        return new ClientEntries(
                EntryChanges.both(
                        EntryChanges.both(history, writes),
                        EntryChanges.both(invalidation.subscriptions(), invalidation.writes())),
                invalidation.subscriptions(),
                history,
                writes,
                new KeyedQueues(clockwork.waiter(), timing.ticker()),
                new StampSource(clockwork.seeds()),
                new GroupWatch(
                        router, options.groups(), timing, telemetry.meters().groups()),
                reads,
                options.engine() == Engine.EMBEDDED ? AllowedClasses.everything() : allowedClasses(options),
                telemetry);
    }

    private WorkPool workPool(String name, AsyncOptions options, Timing timing) {
        return new WorkPool(
                clockwork.pool(name, "async", options.threads(), options.queue()),
                clockwork.pool(name, "late", options.threads(), options.queue()),
                timing,
                options.longestWait());
    }

    private static EmbeddedPartitions partitionsOf(ClientOptions options, Ticker ticker) {
        Map<PartitionId, EmbeddedPartition> partitions = new LinkedHashMap<>();
        for (PartitionOptions partition : options.partitions()) {
            partitions.put(
                    partition.name(),
                    new EmbeddedPartition(partition.name(), options.embedded().maximumSize(), ticker::nanos));
        }
        return new EmbeddedPartitions(partitions);
    }

    private ConnectorAssembly connectors(ClientOptions options, Frame frame) {
        RedisResources resources = redis.acquire();
        frame.closing().push(redis::release);
        return new ConnectorAssembly(
                resources, options, "%08x".formatted(frame.timing().random().nextInt()));
    }

    private static AllowedClasses allowedClasses(ClientOptions options) {
        try {
            return AllowedClasses.of(options.codec().allow());
        } catch (IllegalArgumentException e) {
            throw new CacheException("Configuration by %s: %s".formatted(options.origin(), e.getMessage()), e);
        }
    }

    private void start(String name, Client client) {
        ClientOptions options = client.options();
        LOG.info(
                "Keyslot {}: engine {}, {} partitions, configured by {}",
                name,
                options.engine().name().toLowerCase(Locale.ROOT),
                client.router().slotMap().partitions().size(),
                options.origin());
        if (options.engine().isAddressed() && options.deadlines().command().compareTo(SHORT_COMMAND) < 0) {
            LOG.warn(
                    "Keyslot {}: deadlines.command is {} ms, which an answer over a network often takes longer than",
                    name,
                    options.deadlines().command().toMillis());
        }
        List<ConnectFailure> rejections = client.waiter()
                .awaitClose(
                        client.router().start(options.startupWait()),
                        options.startupWait().plus(START_GRACE),
                        List::of);
        if (!rejections.isEmpty()) {
            throw rejected(name, rejections);
        }
        new Rehearsal(client).run();
    }

    private static CacheException rejected(String name, List<ConnectFailure> rejections) {
        return new CacheException("Keyslot %s cannot start:%n%s"
                .formatted(
                        name,
                        rejections.stream()
                                .map(ConnectFailure::getMessage)
                                .map(problem -> "  " + problem)
                                .collect(Collectors.joining(System.lineSeparator()))));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.catalogue.ClusterSource;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.concurrent.WorkPool;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.Counted;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.entry.GroupWatch;
import io.keyslot.client.entry.KeyedQueues;
import io.keyslot.client.entry.ReadHistory;
import io.keyslot.client.entry.RecentWrites;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.health.ConnectLimit;
import io.keyslot.client.health.Partition;
import io.keyslot.client.near.NearCaches;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.replica.Replicas;
import io.keyslot.client.routing.CurrentTopology;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.Topology;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.client.routing.TrafficReports;
import io.keyslot.client.telemetry.Telemetry;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
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

    /** The number of handlers of feeds that run at a time; each reader of a partition has at most one task. */
    private static final int FEED_THREADS = 8;

    private static final int FEED_QUEUE = 10_000;

    /** Further tasks are refused: a longer queue would only hide that threads are missing. */
    private static final int ASYNC_QUEUE = 10_000;

    /** How long an asynchronous call waits for a thread before it fails without having started. */
    private static final Duration LONGEST_ASYNC_WAIT = Duration.ofSeconds(10);

    private static final int LONGEST_NAME = 64;
    private static final String NAMELESS = "keyslot";

    private final Clockwork clockwork;
    private final Function<ClientOptions, EmbeddedPartitions> embedding;
    private final @Nullable Function<ClientOptions, TopologySource> sources;
    private final ConnectLimit connects = new ConnectLimit();
    private final Set<String> names = new HashSet<>(); // guarded by itself
    private final SharedRedis redis;

    public ClientAssembly() {
        this(Clockwork.ofMachine(), null, null);
    }

    /**
     * Creates an assembly for clients with other threads and name servers for instances, which {@code redis} creates
     * for the first client.
     */
    public ClientAssembly(Supplier<RedisResources> redis) {
        this(Clockwork.ofMachine(), null, null, redis);
    }

    /** Creates an assembly for clients whose partitions change, as their {@code sources} report. */
    public ClientAssembly(Function<ClientOptions, TopologySource> sources) {
        this(Clockwork.ofMachine(), null, sources);
    }

    /**
     * Creates an assembly with another clock, for tests. {@code embedding} returns the embedded partitions that the options
     * of a client name; if it is null, each client has its own. The partitions of clients change as their {@code sources}
     * report, or do not if that is null.
     */
    public ClientAssembly(
            Clockwork clockwork,
            @Nullable Function<ClientOptions, EmbeddedPartitions> embedding,
            @Nullable Function<ClientOptions, TopologySource> sources) {
        this(clockwork, embedding, sources, () -> RedisResources.create(clockwork.ticker()));
    }

    private ClientAssembly(
            Clockwork clockwork,
            @Nullable Function<ClientOptions, EmbeddedPartitions> embedding,
            @Nullable Function<ClientOptions, TopologySource> sources,
            Supplier<RedisResources> redis) {
        this.clockwork = clockwork;
        this.embedding = embedding == null ? options -> partitionsOf(options, clockwork.ticker()) : embedding;
        this.sources = sources;
        this.redis = new SharedRedis(redis);
    }

    /** The threads for instances, shared by all clients of a provider from the first to the last one. Thread-safe. */
    static final class SharedRedis {
        private final Supplier<RedisResources> made;
        private @Nullable RedisResources resources; // guarded by this
        private int clients; // guarded by this

        SharedRedis(Supplier<RedisResources> made) {
            this.made = made;
        }

        /** Returns the resources for one more client, which has to {@link #release} them. */
        synchronized RedisResources acquire() {
            RedisResources present = resources;
            if (present == null) {
                present = made.get();
                resources = present;
            }
            clients++;
            return present;
        }

        synchronized void release() {
            clients--;
            RedisResources present = resources;
            if (clients == 0 && present != null) {
                resources = null;
                present.close();
            }
        }
    }

    public Waiter waiter() {
        return clockwork.waiter();
    }

    /**
     * Returns the name of a manager in threads, meters and logs, which is short and equal on every machine: the text of
     * the URI if it is only a name, otherwise the name of its file without directories, which differ between machines,
     * and without extension.
     */
    public static String nameOf(URI manager) {
        String text = manager.toString();
        String path = text.split("[?#]", 2)[0];
        String file = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
        boolean isMereName = manager.getScheme() == null && text.indexOf('/') < 0;
        int dot = file.lastIndexOf('.');
        String name = isMereName || dot <= 0 ? file : file.substring(0, dot);
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        String bounded = plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
        return bounded.isEmpty() ? NAMELESS : bounded;
    }

    /** Returns this name, with the first free number appended if it is in use. */
    String claimName(String wanted) {
        synchronized (names) {
            String candidate = wanted;
            for (int number = 2; !names.add(candidate); number++) {
                candidate = wanted + "-" + number;
            }
            return candidate;
        }
    }

    void releaseName(String name) {
        synchronized (names) {
            names.remove(name);
        }
    }

    /**
     * Creates a client and connects it; partitions that cannot be reached do not prevent the start. {@code wanted} is
     * the name of the manager in threads, meters and logs; a number is appended if it is in use. Throws
     * {@link CacheException} if a partition answers and rejects the client.
     */
    public Client assemble(String wanted, ClientOptions options, Properties properties) {
        Deque<Runnable> closing = new ArrayDeque<>(); // closed in reverse order
        String name = claimName(wanted);
        closing.push(() -> releaseName(name));
        try {
            Client client = make(name, options, properties, closing);
            client.showPartitions();
            client.source().listen(client::follow); // before the start, which may find a newer map
            start(name, client);
            client.source().look();
            return client;
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.copyOf(closing));
            throw e;
        }
    }

    private Client make(String name, ClientOptions options, Properties properties, Deque<Runnable> closing) {
        ScheduledExecutorService scheduler = clockwork.scheduler(name);
        closing.push(scheduler::shutdownNow);
        Timing timing = new Timing(
                clockwork.ticker(), scheduler, new Random(clockwork.seeds().nextLong()));

        AtomicReference<@Nullable CurrentTopology> made = new AtomicReference<>();
        ConnectorAssembly addressed = options.engine().isAddressed() ? connectors(options, timing, closing) : null;
        TopologySource source =
                sources == null ? source(name, options, timing, addressed, made, closing) : sources.apply(options);
        closing.push(source::close);
        Layout first = source.first();

        WorkPool async = workPool(name, options.asyncThreads(), timing);
        closing.push(async::shutdown);
        ExecutorService writers = clockwork.pool(name, "writer", WRITER_THREADS, WRITER_QUEUE);
        closing.push(writers::shutdown);
        ExecutorService feeds = clockwork.pool(name, "feed", FEED_THREADS, FEED_QUEUE);
        closing.push(feeds::shutdown);
        ExecutorService loaders = clockwork.pool(name, "load", options.loadingThreads(), 0);
        closing.push(loaders::shutdownNow); // a closed cache does not need the values
        ExecutorService refreshes = clockwork.pool(name, "refresh", options.loadingThreads(), 0);
        closing.push(refreshes::shutdownNow);

        Telemetry telemetry = Telemetry.of(options.metrics(), name, properties, clockwork.ticker());
        closing.push(telemetry::close);

        Optional<EmbeddedPartitions> embedded =
                options.engine() == Engine.EMBEDDED ? Optional.of(embedding.apply(options)) : Optional.empty();
        Function<PartitionOptions, PartitionConnector> connectors = addressed == null
                ? partition -> embedded.orElseThrow().connector(partition.name())
                : partition -> addressed.connector(partition, first.slotMap(), options.adoptInstances());
        NearCaches near = new NearCaches(
                timing, options.engine() == Engine.CLUSTER ? () -> CatalogueAssembly.presentOf(made) : null);
        CurrentTopology topology = new CurrentTopology(
                first, given -> partition(given, connectors.apply(given), timing, telemetry, near), timing);
        topology.listen(near::changes);
        made.set(topology);
        topology.ask(source);
        closing.push(topology::close);
        PartitionRouter router = router(options, topology, timing, telemetry, closing);

        Replicas replicas = new Replicas(
                topology,
                // Without an engine of instances, there are no replicas.
                (replica, now) -> Objects.requireNonNull(addressed).replica(replica, now.slotMap()),
                connects,
                timing,
                options.zone(),
                telemetry);
        closing.push(replicas::close);

        ReadHistory history = new ReadHistory(clockwork.ticker());
        RecentWrites recentWrites = new RecentWrites(clockwork.ticker());
        return new Client(
                options,
                source,
                router,
                embedded,
                clockwork.waiter(),
                timing,
                async,
                loaders,
                refreshes,
                writers,
                feeds,
                telemetry,
                List.of(history, recentWrites, replicas.changes()),
                history,
                recentWrites,
                new KeyedQueues(clockwork.waiter(), clockwork.ticker()),
                new StampSource(clockwork.seeds()),
                new GroupWatch(router, options.groups(), timing, telemetry),
                near,
                replicas,
                allowedClasses(options),
                List.copyOf(closing));
    }

    private ConnectorAssembly connectors(ClientOptions options, Timing timing, Deque<Runnable> closing) {
        RedisResources resources = redis.acquire();
        closing.push(redis::release);
        return new ConnectorAssembly(
                resources,
                options,
                options.deadlines(),
                "%08x".formatted(timing.random().nextInt()));
    }

    private TopologySource source(
            String name,
            ClientOptions options,
            Timing timing,
            @Nullable ConnectorAssembly connectors,
            AtomicReference<@Nullable CurrentTopology> topology,
            Deque<Runnable> closing) {
        return options.engine() == Engine.CLUSTER
                ? cluster(
                        options,
                        timing,
                        Objects.requireNonNull(connectors),
                        () -> CatalogueAssembly.presentOf(topology))
                : new CatalogueAssembly(options, timing, clockwork, name, topology, closing).source();
    }

    private ClusterSource cluster(
            ClientOptions options, Timing timing, ConnectorAssembly connectors, Supplier<@Nullable Topology> present) {
        ClusterSource source =
                new ClusterSource(connectors.cluster(options.adoptInstances()), options.partitions(), present, timing);
        try {
            source.begin(clockwork.waiter(), options.startupWait());
        } catch (RuntimeException | Error e) {
            source.close();
            throw e;
        }
        source.watchEpoch();
        return source;
    }

    private WorkPool workPool(String name, int threads, Timing timing) {
        return new WorkPool(
                clockwork.pool(name, "async", threads, ASYNC_QUEUE),
                clockwork.pool(name, "late", threads, ASYNC_QUEUE),
                timing,
                LONGEST_ASYNC_WAIT,
                clockwork.mostAhead());
    }

    private Partition partition(
            PartitionOptions options,
            PartitionConnector connector,
            Timing timing,
            Telemetry telemetry,
            NearCaches near) {
        Partition partition = new Partition(options.name(), connector, connects, timing, telemetry);
        partition.listen(near);
        return partition;
    }

    private static PartitionRouter router(
            ClientOptions options,
            CurrentTopology topology,
            Timing timing,
            Telemetry telemetry,
            Deque<Runnable> closing) {
        // No other process could read reports from embedded partitions.
        boolean isReporting = options.engine() == Engine.INSTANCES
                && !options.trafficReports().isZero();
        TrafficSampler sampler = isReporting ? new TrafficSampler() : null;
        PartitionRouter router =
                new PartitionRouter(topology, timing, options.deadlines().command(), telemetry, sampler);
        closing.push(router::close);
        if (sampler != null) {
            TrafficReports traffic = new TrafficReports(router, sampler, timing, options.trafficReports());
            closing.push(traffic::close);
            traffic.start();
        }
        return router;
    }

    private static EmbeddedPartitions partitionsOf(ClientOptions options, Ticker ticker) {
        Map<PartitionId, EmbeddedPartition> partitions = new LinkedHashMap<>();
        for (PartitionOptions partition : options.partitions()) {
            partitions.put(
                    partition.name(),
                    new EmbeddedPartition(partition.name(), options.embeddedMaximumSize(), ticker::nanos));
        }
        return new EmbeddedPartitions(partitions);
    }

    /** The embedded engine allows every class unless the application says which ones. */
    private static AllowedClasses allowedClasses(ClientOptions options) {
        if (options.engine() == Engine.EMBEDDED && options.codec().allow().isEmpty()) {
            return AllowedClasses.everything();
        }
        try {
            return AllowedClasses.of(options.codec().allow());
        } catch (IllegalArgumentException e) {
            throw new CacheException("Configuration by %s: %s".formatted(options.origin(), e.getMessage()), e);
        }
    }

    private void start(String name, Client client) {
        ClientOptions options = client.options();
        LOG.info(
                "{}: engine {}, {}, configured by {}",
                name.equals(NAMELESS) ? "Keyslot" : "Keyslot " + name,
                options.engine().name().toLowerCase(Locale.ROOT),
                Counted.of(client.router().slotMap().partitions().size(), "partition"),
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
        client.rehearse();
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

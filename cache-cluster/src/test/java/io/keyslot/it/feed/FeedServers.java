// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.partition.redis.ServerAccess;
import io.keyslot.client.register.Generation;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.MapInMemory;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Three servers that own slots and a fourth one, and managers with a cache that has a feed. */
final class FeedServers implements AutoCloseable {
    static final List<PartitionId> ALL = IntStream.rangeClosed(1, 4)
            .mapToObj(number -> new PartitionId("p" + number))
            .toList();
    static final FeedOptions FEED = FeedOptions.defaults().withValues(true);

    private static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());
    private static final Deadlines PATIENT =
            new Deadlines(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private final LocalServers servers = TestServers.none();
    private final List<LocalServer> all = servers.start(ALL.size());
    private final List<KeyslotCachingProvider> providers = new ArrayList<>();
    private final MapInMemory map;
    private int moves;

    FeedServers() {
        List<PartitionId> three = ALL.subList(0, 3);
        MapContent content = new MapContent(
                three.stream().map(this::partition).toList(), SlotTable.of(SlotMap.ofEqualShares(1, three)), List.of());
        map = new MapInMemory(
                new PartitionMap(new MapStamp(Generation.CONFIGURED, 1), MapCommit.CONFIGURED, content), threads);
    }

    private MappedPartition partition(PartitionId id) {
        return MappedPartition.active(id, PartitionUriParser.uri(server(id).uri()), 1);
    }

    LocalServer server(PartitionId id) {
        return all.get(ALL.indexOf(id));
    }

    List<String> uris() {
        return all.subList(0, 3).stream().map(LocalServer::uri).toList();
    }

    /** Opens one more client in this process, with the cache of orders, which are grouped by customer. */
    PartitionedCache<EntityKey, String> orders(FeedOptions feed) {
        return manager(Map.of()).createCache("order", configuration(feed));
    }

    /** Opens one more client in this process. */
    PartitionedCacheManager manager(Map<String, ?> settings) {
        KeyslotCachingProvider provider = new KeyslotCachingProvider(new ClientAssembly(map::source));
        providers.add(provider);
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", String.join(",", uris()));
        properties.putAll(settings);
        return provider.getCacheManager(
                        URI.create("feed" + providers.size()), FeedServers.class.getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
    }

    static PartitionedConfiguration<EntityKey, String> configuration(FeedOptions feed) {
        return new PartitionedConfiguration<EntityKey, String>()
                .setTypes(EntityKey.class, String.class)
                .setGroupedBy("customer")
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.answering(key -> "loaded"))
                .setFeed(feed);
    }

    static EntityKey key(int customer, int order) {
        return EntityKey.of("order", order).in(EntityKey.of("customer", customer));
    }

    void add(PartitionId id) {
        map.change(content -> content.add(partition(id)));
    }

    void lose(PartitionId id) {
        map.change(content -> content.change(id, gone -> gone.withState(MappedPartition.Membership.LOST)));
    }

    SlotSet slotsOf(PartitionId owner) {
        return SlotSet.of(map.read().slotMap().rangesOf(owner));
    }

    void move(PartitionId from, PartitionId to, SlotSet slots) {
        moves++;
        String id = "m" + moves;
        map.change(content -> content.begin(Move.begun(id, from, to, slots, "test")));
        Migration run = new Migration(id, "coordinator-" + id, map, this::connector, TIME);
        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
    }

    private PartitionConnector connector(PartitionId id) {
        return RedisConnector.create(
                resources,
                new ServerAccess(
                        PartitionUriParser.uri(server(id).uri()),
                        TlsOptions.defaults(),
                        Optional.empty(),
                        Optional.empty()),
                new PartitionIdentity(id, map.read().slotMap(), "", false, Adoption.UNUSED),
                PATIENT,
                "coordinator");
    }

    /** Does something with a server by another program. */
    <T> T plain(PartitionId id, Function<RedisCommands<String, String>, T> work) {
        try (RedisClient client = RedisClient.create(server(id).uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return work.apply(connection.sync());
        }
    }

    ExecutorService threads() {
        return threads;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        providers.forEach(KeyslotCachingProvider::close);
        resources.close();
        servers.close();
    }
}

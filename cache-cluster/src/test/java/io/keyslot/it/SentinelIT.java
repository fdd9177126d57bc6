// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three sentinels, a primary and its replica, all real: whom they name is connected to, and nobody else. */
@Tag("thorough")
@SideBySide
class SentinelIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "of-the-sentinels";

    /** A look at the sentinels each second, and room for a machine that is busy. */
    private static final Duration LONGEST_AFTER_AN_ELECTION = Duration.ofSeconds(2);

    private static final Duration WATCHED_AFTERWARDS = Duration.ofSeconds(3);

    private static final Duration POLL = Duration.ofMillis(20);

    @TempDir
    private Path directory = Path.of("");

    private final LocalServers servers = TestServers.none();
    private final LocalServer primary = servers.start();
    private final LocalServer replica = servers.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
    private final List<RedisClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(RedisClient::shutdown);
        servers.close();
    }

    private LocalServer sentinel(int number, LocalServer watched, String... further) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "sentinel monitor shop 127.0.0.1 " + watched.port() + " 2",
                "sentinel down-after-milliseconds shop 1000",
                "sentinel failover-timeout shop 3000"));
        lines.addAll(List.of(further));
        Path file = Files.write(directory.resolve("sentinel-" + number + ".conf"), lines);
        return servers.start(file.toString(), "--sentinel");
    }

    private List<LocalServer> sentinels(String... further) throws Exception {
        List<LocalServer> started = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            started.add(sentinel(i, primary, further));
        }
        return started;
    }

    private static String uri(List<LocalServer> sentinels, String service) {
        return "redis+sentinel://"
                + sentinels.stream()
                        .map(sentinel -> "127.0.0.1:" + sentinel.port())
                        .collect(Collectors.joining(","))
                + "/" + service;
    }

    private static Cache<String, String> cache(CacheManager manager) {
        return manager.createCache("c", new MutableConfiguration<>());
    }

    private static PartitionStatus status(CacheManager manager) {
        return manager.unwrap(PartitionedCacheManager.class).partitions().get(0);
    }

    private RedisSentinelCommands<String, String> ask(LocalServer sentinel) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + sentinel.port());
        clients.add(client);
        return client.connectSentinel().sync();
    }

    private void awaitThatAllKnowEachOther(List<LocalServer> sentinels) {
        for (LocalServer sentinel : sentinels) {
            RedisSentinelCommands<String, String> asked = ask(sentinel);
            await().atMost(PATIENCE).until(() -> {
                Map<String, String> known = asked.master("shop");
                return "2".equals(known.get("num-other-sentinels")) && "1".equals(known.get("num-slaves"));
            });
        }
    }

    /** Calls fail while nobody is primary; then the replica is used, as another life: nothing old is served. */
    @Test
    void killedPrimary_isFollowedByTheReplicaThatIsPromoted() throws Exception {
        List<LocalServer> sentinels = sentinels();
        awaitThatAllKnowEachOther(sentinels);
        try (CacheManager manager = KeyslotManagers.openPatiently("sentinel", List.of(uri(sentinels, "shop")))) {
            Cache<String, String> cache = cache(manager);
            cache.put("before", "v");
            assertThat(cache.get("before")).isEqualTo("v");
            await().atMost(PATIENCE).until(() -> plain(replica).contains("master_link_status:up"));

            primary.kill();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                cache.put("after", "w");
                return "w".equals(cache.get("after"));
            });

            assertThat(plain(replica)).contains("role:master");
            assertThat(cache.get("before")).isNull();
            assertThat(status(manager).state()).isEqualTo(PartitionState.HEALTHY);

            // One sentinel is enough to find it.
            sentinels.get(0).kill();
            sentinels.get(1).kill();
            dropClients(replica);
            await().atMost(PATIENCE).ignoreExceptions().until(() -> "w".equals(cache.get("after")));
        }
    }

    private RedisCommands<String, String> commands(LocalServer server) {
        RedisClient client = RedisClient.create(server.uri());
        clients.add(client);
        return client.connect().sync();
    }

    private String plain(LocalServer server) {
        RedisClient client = RedisClient.create(server.uri());
        try {
            return client.connect().sync().info("replication");
        } finally {
            client.shutdown();
        }
    }

    private static long entries(LocalServer server) {
        RedisClient client = RedisClient.create(server.uri());
        try {
            return client.connect().sync().keys("c:*").size();
        } finally {
            client.shutdown();
        }
    }

    /** The former primary lives on, keeps its connections and takes writes: nothing but the sentinels tells that it is not used. */
    @Test
    void formerPrimaryThatLivesOn_isLeftWithinSeconds() throws Exception {
        List<LocalServer> sentinels = sentinels();
        awaitThatAllKnowEachOther(sentinels);
        LocalServer elected = servers.start();
        try (CacheManager manager = KeyslotManagers.open("moved", List.of(uri(sentinels, "shop")), Map.of())) {
            Cache<String, String> cache = cache(manager);
            cache.put("k", "old");

            for (LocalServer sentinel : sentinels) {
                RedisSentinelCommands<String, String> asked = ask(sentinel);
                asked.remove("shop");
                asked.monitor("shop", "127.0.0.1", elected.port(), 2);
            }

            await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> {
                cache.put("k", "new");
                return entries(elected) > 0;
            });
            assertThat(cache.get("k")).isEqualTo("new");
            assertThat(plain(primary)).contains("role:master");
        }
    }

    private void dropClients(LocalServer server) {
        RedisClient client = RedisClient.create(server.uri());
        try {
            var commands = client.connect().sync();
            commands.clientList()
                    .lines()
                    .filter(line -> line.contains(" name=keyslot:"))
                    .forEach(line -> commands.clientKill(line.replaceFirst(".* addr=(\\S+) .*", "$1")));
        } finally {
            client.shutdown();
        }
    }

    @Test
    void nameThatNobodyKnows_stopsTheStart() throws Exception {
        List<LocalServer> sentinels = sentinels();

        assertThat(catchThrowable(() -> KeyslotManagers.openPatiently("sentinel-name", List.of(uri(sentinels, "shpo")))
                        .close()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("the sentinels know no primary called 'shpo'");
    }

    @Test
    void sentinelsThatDoNotAnswer_areNamedOneByOne() throws Exception {
        LocalServer gone = sentinel(0, primary);
        LocalServer silent = sentinel(1, primary);
        gone.kill();
        silent.suspend();
        Map<String, String> settings = Map.of("keyslot.startup.wait", "0ms", "keyslot.deadlines.connect", "1s");
        try (CacheManager manager =
                KeyslotManagers.open("sentinel-none", List.of(uri(List.of(gone, silent), "shop")), settings)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(manager).problem())
                            .contains("no sentinel says where 'shop' is", "127.0.0.1:" + gone.port()));
        } finally {
            silent.resume();
        }
    }

    /** An ordinary server is no sentinel. */
    @Test
    void serverThatIsNoSentinel_isSaidToBeNone() {
        Map<String, String> settings = Map.of("keyslot.startup.wait", "0ms");
        try (CacheManager manager =
                KeyslotManagers.open("sentinel-not", List.of(uri(List.of(primary), "shop")), settings)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(manager).problem())
                            .contains("no sentinel says where 'shop' is", "does not know the command"));
        }
    }

    /** Two that still believe in a server that is a replica by now, and one that knows better: ROLE decides. */
    @Test
    void sentinelsThatDisagree_doNotMakeAReplicaAPrimary() throws Exception {
        List<LocalServer> divided = List.of(sentinel(0, replica), sentinel(1, replica), sentinel(2, primary));
        Map<String, String> settings = Map.of("keyslot.startup.wait", "0ms");
        try (CacheManager manager = KeyslotManagers.open("sentinel-divided", List.of(uri(divided, "shop")), settings)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(manager))
                            .satisfiesAnyOf(
                                    found -> assertThat(found.problem()).contains("not a primary"),
                                    found -> assertThat(found.state()).isEqualTo(PartitionState.HEALTHY)));
        }
    }

    @Test
    void sentinelsWithAPassword_areToldIt() throws Exception {
        List<LocalServer> sentinels = sentinels("requirepass " + PASSWORD, "sentinel sentinel-pass " + PASSWORD);
        Map<String, String> settings = new HashMap<>();
        settings.put("keyslot.startup.wait", "0ms");
        try (CacheManager manager =
                KeyslotManagers.open("sentinel-locked", List.of(uri(sentinels, "shop")), settings)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(manager).problem()).contains("asks for a password"));
        }
        settings.putAll(KeyslotManagers.LONG_DEADLINES);
        settings.put("keyslot.connection.sentinel.password", PASSWORD);
        try (CacheManager manager = KeyslotManagers.open("sentinel-open", List.of(uri(sentinels, "shop")), settings)) {
            Cache<String, String> cache = cache(manager);
            cache.put("k", "v");
            assertThat(cache.get("k")).isEqualTo("v");
        }
    }

    /** Returns a future that is done when one of the sentinels tells of this event. */
    private CompletableFuture<Void> event(List<LocalServer> sentinels, String event) {
        CompletableFuture<Void> told = new CompletableFuture<>();
        for (LocalServer sentinel : sentinels) {
            RedisClient client = RedisClient.create("redis://127.0.0.1:" + sentinel.port());
            clients.add(client);
            StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    told.complete(null);
                }
            });
            connection.sync().subscribe(event);
        }
        return told;
    }

    private static long naming(List<RedisSentinelCommands<String, String>> sentinels, LocalServer server) {
        return sentinels.stream()
                .filter(sentinel -> sentinel.getMasterAddrByName("shop") instanceof InetSocketAddress named
                        && named.getPort() == server.port())
                .count();
    }

    /**
     * A supervisor restarts the killed primary while the sentinels elect the replica: both are primaries then for about ten
     * seconds. Clients that have connected to the restarted one leave it as soon as a majority names the other one, and take up
     * the life that is there.
     */
    @ParameterizedTest
    @ValueSource(strings = {"+try-failover", "+selected-slave", "+promoted-slave", "+switch-master"})
    void primaryThatIsRestartedWithinTheElection_isLeft_andCostsNoWriteOfOthers(String event) throws Exception {
        List<LocalServer> sentinels = sentinels();
        awaitThatAllKnowEachOther(sentinels);
        List<RedisSentinelCommands<String, String>> asked =
                sentinels.stream().map(this::ask).toList();
        CompletableFuture<Void> told = event(sentinels, event);
        AtomicLong settled = new AtomicLong(Long.MAX_VALUE);
        RedisCommands<String, String> atReplica = commands(replica);
        try (SharedKeys keys = new SharedKeys(settled)) {
            keys.use(3, uri(sentinels, "shop"));
            await().atMost(PATIENCE).until(() -> keys.areAllWritten());
            await().atMost(PATIENCE).until(() -> atReplica.info("replication").contains("master_link_status:up"));

            primary.kill();
            told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            primary.restart();
            // Sentinels have a server that they promote drop its clients, this test's as well.
            await().atMost(PATIENCE)
                    .pollInterval(POLL)
                    .ignoreExceptions()
                    .until(() -> atReplica.info("replication").contains("role:master"));
            keys.use(1, replica.uri()); // begins the life there, and knows nothing of the one at the restarted server
            Map<String, Set<String>> lives = new HashMap<>();
            await().atMost(PATIENCE).pollInterval(POLL).ignoreExceptions().until(() -> {
                String recorded = atReplica.hget("keyslot:meta", "life");
                if (recorded != null) { // its id, state, reign, and ancestors
                    String[] incarnation = recorded.split(" ", -1);
                    lives.computeIfAbsent(incarnation[2], serverRun -> new TreeSet<>())
                            .add(incarnation[0]);
                }
                if (settled.get() == Long.MAX_VALUE && naming(asked, replica) >= 2) {
                    settled.set(System.nanoTime() + LONGEST_AFTER_AN_ELECTION.toNanos());
                }
                return settled.get() < Long.MAX_VALUE
                        && System.nanoTime() - settled.get() > WATCHED_AFTERWARDS.toNanos();
            });
            if (naming(asked, replica) < 3) {
                abort("the sentinels have elected again");
            }

            assertThat(keys.wrong).isEmpty();
            assertThat(keys.checked.get()).isPositive();
            assertThat(lives.values()).allSatisfy(ids -> assertThat(ids).hasSize(1));
        }
    }

    /** Clients that each write a key of their own and read those of all. */
    private static final class SharedKeys implements AutoCloseable {
        /** A number that was acknowledged, and when its put began. */
        private record Written(int number, long begunNanos) {}

        private final AtomicLong settled;
        private final List<CacheManager> managers = new ArrayList<>();
        private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
        private final Map<String, Written> acknowledged = new ConcurrentHashMap<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicInteger checked = new AtomicInteger();

        SharedKeys(AtomicLong settled) {
            this.settled = settled;
        }

        /** Opens more managers, with default settings, each of which is used by one thread from now on. */
        void use(int more, String uri) {
            for (int i = 0; i < more; i++) {
                String key = "k" + managers.size();
                CacheManager manager = KeyslotManagers.open("sentinel-" + key, List.of(uri), Map.of());
                managers.add(manager);
                Cache<String, Integer> cache = manager.createCache("c", new MutableConfiguration<>());
                AtomicInteger number = new AtomicInteger();
                ScheduledFuture<?> unused = threads.scheduleWithFixedDelay(
                        () -> step(cache, key, number.incrementAndGet()), 0, 5, TimeUnit.MILLISECONDS);
            }
        }

        boolean areAllWritten() {
            return acknowledged.size() == managers.size();
        }

        private void step(Cache<String, Integer> cache, String key, int number) {
            try {
                long begun = System.nanoTime();
                cache.put(key, number);
                acknowledged.put(key, new Written(number, begun));
                for (String other : acknowledged.keySet()) {
                    Written before = acknowledged.get(other);
                    Integer found = cache.get(other);
                    if (before.begunNanos > settled.get()) {
                        checked.incrementAndGet();
                        if (found == null || found < before.number) {
                            wrong.add("%s read %s of %s after %d was acknowledged"
                                    .formatted(key, found, other, before.number));
                        }
                    }
                }
            } catch (CacheException e) {
                // Not done or not known: while the primary is away, and when a connection is given up.
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
            managers.forEach(CacheManager::close);
        }
    }
}

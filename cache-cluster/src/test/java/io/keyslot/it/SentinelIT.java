// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three sentinels, a primary and its replica, all real: whom they name is connected to, and nobody else. */
@SideBySide
class SentinelIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "of-the-sentinels";

    @TempDir
    private Path directory = Path.of("");

    private final LocalServers servers = LocalServers.create();
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
}

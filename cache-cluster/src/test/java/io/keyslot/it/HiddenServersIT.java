// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that do not do, or do not say, what those of a service do not: as far as rights can imitate it. */
@Tag("thorough")
@SideBySide
class HiddenServersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ADMINISTRATION =
            "-config -debug -migrate -replicaof -slaveof -shutdown -save -bgsave -bgrewriteaof -psync -sync -acl";

    @AutoClose
    private final LocalServers servers = TestServers.none();

    /** What users may not do there, and the beginnings of the sentences about what is weaker. docs/operations.md has the sources. */
    enum Service {
        ELASTICACHE(ADMINISTRATION),
        MEMORYDB(ADMINISTRATION + " -cluster"),
        MEMORYSTORE(ADMINISTRATION + " -module -restore -monitor"),
        REDIS_CLOUD(
                ADMINISTRATION + " -role -cluster -info +info|replication -client|pause -client|no-evict", "no run_id"),
        AZURE_MANAGED_REDIS(
                ADMINISTRATION + " -role -cluster -info -client|pause -client|no-evict -select -client|tracking",
                "neither run_id nor master_replid",
                "no CLIENT TRACKING"),
        AIVEN_VALKEY(ADMINISTRATION + " -cluster -role -failover"),
        OCI(ADMINISTRATION + " -cluster -dump -module"),
        UPSTASH(
                ADMINISTRATION + " -role -info -client -select -cluster -wait",
                "neither run_id nor master_replid",
                "no CLIENT LIST",
                "no CLIENT KILL",
                "no CLIENT TRACKING");

        private final String rights;
        private final String weaker;

        Service(String rights, String... weaker) {
            this.rights = rights;
            this.weaker = String.join(";", weaker);
        }

        List<String> weaker() {
            return weaker.isEmpty() ? List.of() : List.of(weaker.split(";"));
        }
    }

    private LocalServer start(String rights) {
        List<String> arguments = new ArrayList<>(List.of("--user", "app", "on", ">secret", "~*", "&*", "+@all"));
        arguments.addAll(List.of(rights.split(" ")));
        return servers.start(arguments.toArray(String[]::new));
    }

    private static String uri(LocalServer server) {
        return server.uri().replace("://", "://app:secret@");
    }

    private static MutableConfiguration<String, byte[]> configuration() {
        return new MutableConfiguration<String, byte[]>()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.answering(key -> {
                    int colon = key.indexOf(':'); // behind it is the length of the value
                    return colon < 0 ? null : new byte[Integer.parseInt(key.substring(colon + 1))];
                }));
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void service_isUsed_andBackAfterAnOutage(Service service) {
        LocalServer server = start(service.rights);
        try (CacheManager manager = KeyslotManagers.openPatiently("hidden-" + service, List.of(uri(server)))) {
            Cache<String, byte[]> cache = manager.createCache("c", configuration());
            cache.put("small", new byte[] {1});
            cache.put("large", new byte[3 << 20]);
            assertThat(cache.get("small")).containsExactly(1);
            assertThat(cache.get("large")).hasSize(3 << 20);
            assertThat(cache.get("loaded:7")).hasSize(7); // by a lease
            assertThat(cache.<Integer>invoke("small", (entry, arguments) -> {
                        entry.setValue(new byte[] {2, 3});
                        return entry.getValue().length;
                    }))
                    .isEqualTo(2);
            CacheGroup group = manager.unwrap(PartitionedCacheManager.class).group(EntityKey.of("root", 1));
            assertThat(group.counter("n").addAndGet(3)).isEqualTo(3);

            cache.clear();
            assertThat(cache.containsKey("small")).isFalse();

            cache.put("small", new byte[] {4});
            server.restart();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                cache.put("again", new byte[] {5});
                return cache.get("again").length == 1;
            });
            assertThat(cache.containsKey("small")).isFalse(); // the server kept nothing, so neither do we
        }
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    @ResourceLock(Resources.SYSTEM_ERR)
    void whatIsWeaker_isLogged(Service service) {
        LocalServer server = start(service.rights);
        String port = server.uri().substring(server.uri().lastIndexOf(':'));
        try (LogLines log = new LogLines();
                CacheManager manager = KeyslotManagers.openPatiently("weaker-" + service, List.of(uri(server)))) {
            assertThat(manager.isClosed()).isFalse();
            List<String> lines = log.with("some guarantees are weaker").stream()
                    .filter(line -> line.contains(port))
                    .toList();
            assertThat(lines).hasSize(service.weaker().isEmpty() ? 0 : 1);
            service.weaker().forEach(weaker -> assertThat(lines.get(0)).contains(weaker));
        }
    }

    /** What docs/consistency.md says is less: who has no name is taken for who he was, if his data is there. */
    @Test
    void serverWithoutAName_servesWhatAFileHadKept() throws Exception {
        LocalServer server = servers.start("--user", "app", "on", ">secret", "~*", "&*", "+@all", "-info", "-role");
        try (CacheManager manager = KeyslotManagers.openPatiently("hidden-nameless", List.of(uri(server)))) {
            Cache<String, String> cache = manager.createCache("c", new MutableConfiguration<>());
            cache.put("k", "old");
            ask(server, RedisCommands::save);
            cache.put("k", "new");
            server.restart();

            await().atMost(PATIENCE).ignoreExceptions().until(() -> "old".equals(cache.get("k")));
        }
    }

    /** Without scripts nothing could be compared and changed at once. */
    @Test
    void serverWithoutScripts_isRefusedByName() {
        LocalServer server = start(ADMINISTRATION + " -role -eval -evalsha");

        assertThat(catchThrowable(() -> KeyslotManagers.openPatiently("hidden-scripts", List.of(uri(server)))
                        .close()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("cannot write keyslot:meta")
                .hasMessageContaining("not allowed");
    }

    /** A server that does everything is asked nothing more, and nothing is said of it. */
    @Test
    void ordinaryServer_isNotProbed() {
        LocalServer server = servers.start();
        try (CacheManager manager = KeyslotManagers.openPatiently("hidden-nothing", List.of(server.uri()))) {
            assertThat(manager.isClosed()).isFalse();
            String asked = ask(server, commands -> commands.info("commandstats"));
            assertThat(asked).contains("cmdstat_role").doesNotContain("cmdstat_client|tracking");
        }
    }

    private static <T> T ask(LocalServer server, Function<RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(server.uri());
        try {
            return question.apply(client.connect().sync());
        } finally {
            client.shutdown();
        }
    }
}

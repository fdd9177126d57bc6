// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.hot.HotKeyScope;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearSelection;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes read a few keys again and again, among many: one of them keeps the hot ones near, and the tool finds them. */
@SideBySide
class HotIT {
    private static final int COLD = 2_000;
    private static final int SERVERS = 2;

    private final TestServers servers = TestServers.start(SERVERS);
    private final String partitions = "--partitions=" + String.join(",", servers.uris());
    private final List<KeyslotCachingProvider> providers = new ArrayList<>();
    private final CacheManager one = manager("one");
    private final CacheManager two = manager("two");

    @AfterEach
    void close() throws Exception {
        providers.forEach(KeyslotCachingProvider::close);
        servers.close();
    }

    private CacheManager manager(String name) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", servers.uris()));
        properties.setProperty("keyslot.deadlines.call", "10s");
        properties.setProperty("keyslot.deadlines.command", "5s");
        properties.setProperty("keyslot.deadlines.connect", "5s");
        properties.setProperty("keyslot.trafficReports", "1s");
        KeyslotCachingProvider provider = new KeyslotCachingProvider();
        providers.add(provider);
        return provider.getCacheManager(URI.create(name), getClass().getClassLoader(), properties);
    }

    private static PartitionedConfiguration<String, String> configuration(HotKeyScope scope) {
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, String.class);
        return configuration.setHotKeys(scope);
    }

    private static void read(Cache<String, String> cache, int round) {
        for (int i = 0; i < 20; i++) {
            assertThat(cache.get("hottest")).isEqualTo("1");
            assertThat(cache.get("hot" + i % 5)).isEqualTo("1");
        }
        for (int i = 0; i < 10; i++) {
            assertThat(cache.get("cold" + (10 * round + i) % COLD)).isEqualTo("1");
        }
    }

    /** Copies of strings are shared: the same one comes each time. */
    @SuppressWarnings({"StringEquality", "ReferenceEquality"})
    private static boolean isKept(Cache<String, String> cache, String key) {
        String first = cache.get(key);
        return first == cache.get(key);
    }

    private CommandRun hot(String... more) {
        List<String> arguments = new ArrayList<>(List.of("hot", partitions));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private static Map<?, ?> first(CommandRun run) {
        Map<?, ?> found = (Map<?, ?>) known(JsonReader.read(run.out().strip().getBytes(StandardCharsets.US_ASCII)));
        List<?> keys = (List<?>) known(found.get("keys"));
        return keys.isEmpty() ? Map.of() : (Map<?, ?>) known(keys.get(0));
    }

    private static Object known(@Nullable Object json) {
        return Objects.requireNonNull(json);
    }

    private <T> List<T> ask(Function<StatefulRedisConnection<String, String>, T> question) {
        List<T> answers = new ArrayList<>();
        for (String uri : servers.uris()) {
            RedisClient client = RedisClient.create(uri);
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                answers.add(question.apply(connection));
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            }
        }
        return answers;
    }

    private static long trackedAt(StatefulRedisConnection<String, String> connection) {
        return connection
                .sync()
                .info("stats")
                .lines()
                .filter(line -> line.startsWith("tracking_total_keys:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @Test
    void hotKeysOfAllProcesses_areFound_andOnlyThoseAreKeptNear_andToldByWhoSaysSo() {
        Cache<String, String> near = one.createCache(
                "product",
                configuration(HotKeyScope.REPORT)
                        .setNear(NearOptions.ofEntries(1_000).withOnly(NearSelection.HOT)));
        Cache<String, String> plain = two.createCache("product", configuration(HotKeyScope.REPORT));
        Cache<String, String> secret = two.createCache("secret", configuration(HotKeyScope.LOCAL));
        for (String key : List.of("hottest", "hot0", "hot1", "hot2", "hot3", "hot4")) {
            plain.put(key, "1");
            secret.put(key, "1");
        }
        for (int i = 0; i < COLD; i++) {
            plain.put("cold" + i, "1");
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> isKept(near, "hottest"));
        for (int round = 0; round < 200; round++) {
            read(near, round);
            read(plain, round);
            assertThat(secret.get("hottest")).isEqualTo("1");
        }

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    read(near, 0);
                    read(plain, 0);
                    return Long.valueOf(2)
                            .equals(first(hot("-o", "json", "-n", "3")).get("clients"));
                });
        assertTold();
        assertThat(ask(HotIT::trackedAt).stream().mapToLong(Long::longValue).sum())
                .isBetween(1L, COLD / 20L);
        assertThat(ask(connection -> connection.sync().hvals("keyslot:load:").toString()))
                .anyMatch(reports -> reports.contains(asHot("product", "product:hottest")))
                .noneMatch(reports -> reports.contains(asHot("secret", "secret:hottest")));
    }

    /** Returns how a report names a hot key. The counts of slots may name it too, whatever the cache says of hot keys. */
    private static String asHot(String cache, String key) {
        return cache + (char) key.length() + key;
    }

    private void assertTold() {
        CommandRun json = hot("-o", "json");
        assertThat(json.exitCode()).as(json.err()).isZero();
        Map<?, ?> hottest = first(json);
        assertThat(hottest.get("key")).isEqualTo("product:hottest");
        assertThat(hottest.get("cache")).isEqualTo("product");
        assertThat((Long) known(hottest.get("readsPerMinute")))
                .isBetween(1L, (Long) known(hottest.get("readsOfCachePerMinute")));
        assertThat(json.out()).contains("product:hot4").doesNotContain("secret:");
        CommandRun table = hot("--cache", "product", "-n", "2");
        assertThat(table.out()).contains("Share of cache", "product:hottest").doesNotContain("cold");
        CommandRun none = hot("--cache", "nothing");
        assertThat(none.exitCode()).isZero();
        assertThat(none.err()).contains("no client has told hot keys of the cache nothing");
    }
}

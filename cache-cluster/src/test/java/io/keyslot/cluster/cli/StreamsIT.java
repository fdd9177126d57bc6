// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsIT {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @AutoClose
    private final LocalServers servers = TestServers.none();

    private final List<LocalServer> all = servers.start(3);
    private final List<String> addresses = all.stream().map(LocalServer::uri).toList();

    @TempDir
    private Path folder;

    private CommandRun streams(String namespace, String form) throws IOException {
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file,
                "partitions: ['%s']\nnamespace: %s\ndeadlines: { connect: 5s, call: 5s, command: 4s }\n"
                        .formatted(String.join("', '", addresses), namespace));
        return CommandRun.of("streams", "--config=" + file, "-o", form);
    }

    private List<Map<?, ?>> rows(String namespace, String name) {
        try {
            byte[] document = streams(namespace, "json").out().getBytes(StandardCharsets.UTF_8);
            return ((List<?>) Objects.requireNonNull(
                            ((Map<?, ?>) Objects.requireNonNull(JsonReader.read(document))).get(name)))
                    .stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sum(List<Map<?, ?>> rows, String column) {
        return rows.stream()
                .mapToLong(row -> row.get(column) instanceof Long count ? count : 0)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "shop"})
    void queues_areShownByPartition_andSilentServersAreUnknown(String namespace) throws IOException {
        try (PartitionedCacheManager manager = KeyslotManagers.openPatiently(
                        "queues" + namespace.length(),
                        addresses,
                        Map.of("keyslot.namespace", namespace.replace("'", ""), "keyslot.queues.order.deliveries", "1"))
                .unwrap(PartitionedCacheManager.class)) {
            assertThat(streams(namespace, "table").out()).contains("No queue has messages.");
            PartitionedQueue<String> orders = manager.queue("order", String.class);
            IntStream.range(0, 90).forEach(i -> orders.send("m" + i));
            for (int i = 0; i < 3; i++) {
                orders.send("in session", SendOptions.inSession("customer 99"));
            }
            manager.queue("mail", String.class).send("m");

            List<Map<?, ?>> before = rows(namespace, "queues");
            assertThat(before)
                    .filteredOn(row -> "order".equals(row.get("queue")))
                    .hasSize(3);
            assertThat(sum(before, "ready")).isEqualTo(92);
            assertThat(sum(before, "waiting")).isEqualTo(2);

            for (int i = 0; i < 10; i++) {
                orders.receive(LONGEST).orElseThrow().abandon();
            }
            for (int i = 0; i < 81; i++) {
                assertThat(orders.receive(LONGEST)).isPresent();
            }
            assertThat(orders.receive(Duration.ZERO)).isEmpty();

            List<Map<?, ?>> after = rows(namespace, "queues");
            assertThat(sum(after, "ready")).isEqualTo(1);
            assertThat(sum(after, "leased") + sum(after, "waiting") + sum(after, "dead"))
                    .isEqualTo(93);
            assertThat(sum(after, "dead")).isGreaterThanOrEqualTo(9);
            assertThat(streams(namespace, "table"))
                    .satisfies(run -> assertThat(run.exitCode()).isEqualTo(ExitCode.OK))
                    .satisfies(run ->
                            assertThat(run.out()).contains("No feed is read.").containsPattern("(?m)^all +order +0 +"));

            all.get(1).kill();
            CommandRun without = streams(namespace, "table");
            assertThat(without.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(without.out())
                    .containsPattern("(?m)^p2 +silent +- +- +- +-$")
                    .containsPattern("(?m)^all but p2 +order +0 +")
                    .doesNotContain("No feed is read.");
            assertThat(rows(namespace, "queues"))
                    .filteredOn(row -> "p2".equals(row.get("partition")))
                    .singleElement()
                    .satisfies(row -> assertThat(row.get("ready")).isNull());
        }
    }

    @Test
    void feedThatOnlyListenersRead_hasNoGroup() {
        try (CacheManager manager =
                KeyslotManagers.openPatiently("listeners", addresses, Map.of("keyslot.caches.price.events", "feed"))) {
            Cache<String, String> cache = manager.createCache(
                    "price",
                    new PartitionedConfiguration<String, String>()
                            .setFeed(FeedOptions.defaults().withValues(true)));
            cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                    FactoryBuilder.factoryOf(Listening.class), null, false, false));
            IntStream.range(0, 90).forEach(i -> cache.put("k" + i, "1.25"));

            await().atMost(LONGEST).until(() -> sum(rows("''", "streams"), "changes") == 90);
            List<Map<?, ?>> rows = rows("''", "streams");
            assertThat(rows).hasSize(3);
            assertThat(rows).allSatisfy(row -> {
                assertThat(row.get("cache")).isEqualTo("price");
                assertThat(row.get("group")).isNull();
                assertThat(row.get("lag")).isNull();
            });
        }
    }

    public static final class Listening implements CacheEntryUpdatedListener<String, String>, Serializable {
        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.client.json.JsonReader;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.web.SignIns;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The page shows what three servers hold and clients do, and keeps a history while nobody looks. */
@SideBySide
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorPageIT {
    private static final String TOKEN = "sixteen or more characters";
    private static final int ENTRIES = 900;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final RedisClient redis = RedisClient.create();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Connected connected = new Connected();
    private LocalServers servers;
    private List<LocalServer> three;
    private OperatorPage page;
    private CacheManager manager;

    /** As a command has its options. */
    @Command(name = "connected")
    private static final class Connected {
        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();
    }

    @BeforeAll
    void open() throws IOException {
        servers = TestServers.none();
        three = servers.start(3);
        List<String> addresses = three.stream().map(LocalServer::uri).toList();
        manager = KeyslotManagers.openPatiently("page", addresses);
        Cache<String, String> cache = manager.createCache("value", new PartitionedConfiguration<>());
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.put("k" + i, "of " + i);
        }
        cache.putAll(entries);
        new CommandLine(connected).parseArgs("--partitions=" + String.join(",", addresses));
        page = OperatorPage.open(
                0, new SignIns(TOKEN), new OperatorPage.Rhythm(Duration.ofSeconds(1), 100_000), connected.connection);
    }

    @AfterAll
    void close() {
        page.close();
        redis.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        manager.close();
        servers.close();
    }

    private HttpResponse<String> asked(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(page.address()).resolve(path)).timeout(LONGEST);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> withToken(String path) throws Exception {
        return asked(path, "Authorization", "Bearer " + TOKEN);
    }

    private HttpResponse<String> ordered(String query, String token) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(page.address()).resolve("/api/moves?" + query))
                        .header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .timeout(LONGEST)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static Map<?, ?> json(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return object(JsonReader.read(answer.body().getBytes(StandardCharsets.UTF_8)));
    }

    private static Map<?, ?> object(@Nullable Object json) {
        return (Map<?, ?>) Objects.requireNonNull(json);
    }

    /** Returns the rows of a part of the state, empty if it was not told yet. */
    private List<Map<?, ?>> rows(String part) throws Exception {
        Object told = json(asked("/api/state")).get(part);
        Object rows = told == null ? null : object(told).get("rows");
        return rows == null
                ? List.of()
                : ((List<?>) rows)
                        .stream().<Map<?, ?>>map(OperatorPageIT::object).toList();
    }

    private <T> T at(LocalServer server, java.util.function.Function<StatefulRedisConnection<String, String>, T> ask) {
        try (StatefulRedisConnection<String, String> connection = redis.connect(RedisURI.create(server.uri()))) {
            return ask.apply(connection);
        }
    }

    @Test
    void partitions_areToldAsTheServersAre() throws Exception {
        await().atMost(LONGEST)
                .until(() -> rows("partitions").stream().allMatch(row -> "answers".equals(row.get("state"))));
        await().atMost(LONGEST).untilAsserted(() -> {
            List<Map<?, ?>> told = rows("partitions");
            assertThat(told).hasSize(3);
            for (int i = 0; i < 3; i++) {
                assertThat(told.get(i).get("keys"))
                        .isEqualTo(at(three.get(i), each -> each.sync().dbsize()));
            }
        });
        List<Map<?, ?>> rows = rows("partitions");

        for (int i = 0; i < 3; i++) {
            assertThat(rows.get(i).get("address"))
                    .isEqualTo("127.0.0.1:" + three.get(i).port());
            assertThat((Long) rows.get(i).get("usedBytes")).isGreaterThan(500_000);
        }
        assertThat(rows.stream().mapToLong(row -> (Long) row.get("slots")).sum())
                .isEqualTo(HashSlot.COUNT);
        assertThat(rows.get(0).get("ranges")).isEqualTo("0-5461");
    }

    @Test
    void heat_isWhatTheServersHold() throws Exception {
        await().atMost(LONGEST)
                .until(() -> json(asked("/api/state")).get("survey") instanceof Map<?, ?> survey
                        && Long.valueOf(ENTRIES).equals(survey.get("keys")));
        Map<Long, Long> expected = Stream.iterate(0, i -> i + 1)
                .limit(ENTRIES)
                .collect(Collectors.groupingBy(i -> (long) HashSlot.of("value:k" + i), Collectors.counting()));

        List<?> keys =
                (List<?>) Objects.requireNonNull(json(asked("/api/heat/keys")).get("slots"));
        List<?> bytes =
                (List<?>) Objects.requireNonNull(json(asked("/api/heat/bytes")).get("slots"));

        assertThat(keys).hasSize(HashSlot.COUNT);
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            long count = expected.getOrDefault((long) slot, 0L);
            assertThat(keys.get(slot)).as("slot %d", slot).isEqualTo(count);
            assertThat((Long) bytes.get(slot) > 0).as("slot %d", slot).isEqualTo(count > 0);
        }
        assertThat(asked("/api/heat/misses").statusCode()).isEqualTo(404);
    }

    @Test
    void keys_takeTheToken() throws Exception {
        for (String path : List.of("/api/where?key=value:k1", "/api/hot")) {
            assertThat(asked(path).statusCode()).as(path).isEqualTo(403);
            assertThat(asked(path, "Authorization", "Bearer wrong").statusCode())
                    .isEqualTo(403);
        }
        assertThat(asked("/api/state").body()).doesNotContain("value:", "k1\"");

        Map<?, ?> where = json(withToken("/api/where?key=value:k1"));
        assertThat(where.get("slot")).isEqualTo(Integer.toString(HashSlot.of("value:k1")));
        assertThat(where.get("entry")).isEqualTo("present");
        assertThat(json(withToken("/api/where?key=value:absent")).get("entry")).isEqualTo("absent");
        assertThat(withToken("/api/where?key=").statusCode()).isEqualTo(400);
        await().atMost(LONGEST).until(() -> withToken("/api/hot").statusCode() == 200);
        Map<?, ?> largest = object(json(withToken("/api/hot")).get("bytes"));
        assertThat((List<?>) Objects.requireNonNull(largest.get("keys"))).hasSize(20);
        assertThat(largest.toString()).contains("value:k");
    }

    @Test
    void orders_takeTheToken_andAreInTheMap() throws Exception {
        try (OpenCatalogue catalogue = connected.connection.catalogue()) {
            PartitionMap before = catalogue.maps().read();
            PartitionMap begun = before.next(
                    new MapCommit("page-1", "test", "", Instant.EPOCH),
                    content -> content.begin(Move.waiting(
                            "p-1-1",
                            new PartitionId("p1"),
                            new PartitionId("p2"),
                            SlotSet.parse("0-9"),
                            "test",
                            MovePace.FULL)));
            assertThat(catalogue.maps().compareAndSet(before, begun)).isEqualTo(MapStore.Stored.DONE);
            await().atMost(LONGEST).until(() -> rows("moves").size() == 1);

            assertThat(ordered("order=pause&id=p-1", "wrong").statusCode()).isEqualTo(403);
            assertThat(ordered("order=remove&id=p-1", TOKEN).statusCode()).isEqualTo(400);
            assertThat(ordered("order=pause&id=", TOKEN).statusCode()).isEqualTo(409);
            assertThat(ordered("order=pause&id=p-2", TOKEN).statusCode()).isEqualTo(409);
            assertThat(rows("moves").get(0).get("isPaused")).isEqualTo(false);

            assertThat(json(ordered("order=pause&id=p-1", TOKEN)).get("moves")).isEqualTo(List.of("p-1-1"));
            assertThat(catalogue.maps().read().moves().get(0).pace().isPaused()).isTrue();
            await().atMost(LONGEST)
                    .until(() -> Boolean.TRUE.equals(rows("moves").get(0).get("isPaused")));
            assertThat(json(ordered("order=resume&id=p-1", TOKEN))).isNotEmpty();
            assertThat(catalogue.maps().read().moves().get(0).pace().isPaused()).isFalse();
            assertThat(json(ordered("order=abort&id=p-1", TOKEN)).get("moves")).isEqualTo(List.of());
            assertThat(catalogue.maps().read().moves()).isEmpty();
            await().atMost(LONGEST).until(() -> rows("moves").isEmpty());
        }
    }

    /** Alone with servers of its own, one of which is killed. */
    @Tag("thorough")
    @Test
    void historyIsKept_andNoKeyIsSampled_whileNobodyLooks() throws Exception {
        try (LocalServers others = TestServers.none()) {
            List<LocalServer> two = others.start(2);
            Connected these = new Connected();
            new CommandLine(these)
                    .parseArgs("--partitions=" + two.get(0).uri() + ","
                            + two.get(1).uri());
            try (OperatorPage alone = OperatorPage.open(
                    0, new SignIns(null), new OperatorPage.Rhythm(Duration.ofSeconds(5), 100), these.connection)) {
                await().atMost(LONGEST).until(() -> timesAsked(two.get(1), "dbsize") > 2);
                two.get(1).kill();
                Instant killed = Instant.now();
                long before = timesAsked(two.get(0), "dbsize");
                await().atMost(LONGEST).until(() -> timesAsked(two.get(0), "dbsize") > before + 4);
                assertThat(timesAsked(two.get(0), "scan")).isZero();

                Instant looked = Instant.now();
                URI uri = URI.create(alone.address()).resolve("/api/state");
                Map<?, ?> state = json(client.send(
                        HttpRequest.newBuilder(uri).timeout(LONGEST).build(), HttpResponse.BodyHandlers.ofString()));
                Map<?, ?> event = object(((List<?>) Objects.requireNonNull(
                                object(state.get("events")).get("rows")))
                        .get(0));
                assertThat((String) event.get("text")).startsWith("p2 is silent: ");
                assertThat((Long) event.get("at")).isLessThan(looked.toEpochMilli());
                Map<?, ?> health = object(object(state.get("partitions")).get("health"));
                assertThat(health.get("level")).isEqualTo("down");
                assertThat(health.get("text")).isEqualTo("p2 has been silent");
                assertThat(health.get("cost")).isEqualTo("50\u00a0% of the slots; reads are misses");
                assertThat((Long) health.get("since"))
                        .isBetween(killed.minusSeconds(5).toEpochMilli(), killed.toEpochMilli());
                await().atMost(LONGEST).until(() -> timesAsked(two.get(0), "scan") > 0); // that was a viewer
            }
        }
    }

    /** Returns how often a server was sent a command, as it counts. */
    private long timesAsked(LocalServer server, String command) {
        String counts = at(server, connection -> connection.sync().info("commandstats"));
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(counts);
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** The cache that is only written is there, and what no client has reported is not known rather than 0. */
    @Tag("thorough")
    @Test
    void figures_areWhatClientsDid() throws Exception {
        try (LocalServers others = TestServers.none()) {
            LocalServer server = others.start(1).get(0);
            Connected these = new Connected();
            new CommandLine(these).parseArgs("--partitions=" + server.uri());
            try (OperatorPage page = OperatorPage.open(
                    0, new SignIns(null), new OperatorPage.Rhythm(Duration.ofSeconds(5), 0), these.connection)) {
                await().atMost(LONGEST).until(() -> newest(page, "clients"), Long.valueOf(0)::equals);
                assertThat(newest(page, "calls")).isNull();
                assertThat(newest(page, "p99Micros")).isNull();
                assertThat((Long) newest(page, "usedBytes")).isGreaterThan(100_000);

                try (CacheManager reporting = KeyslotManagers.openPatiently(
                        "figures", List.of(server.uri()), Map.of("keyslot.trafficReports", "1s"))) {
                    Cache<String, String> read = reporting.createCache("read", new PartitionedConfiguration<>());
                    Cache<String, String> written = reporting.createCache("written", new PartitionedConfiguration<>());
                    read.put("there", "value");
                    await().atMost(LONGEST).until(() -> {
                        for (int i = 0; i < 30; i++) {
                            read.get("there");
                            read.get(i % 3 == 0 ? "absent" : "there");
                            written.put("k", "value");
                        }
                        return newest(page, "p99Micros") != null
                                && newest(page, "calls") instanceof Long calls
                                && calls > 0;
                    });
                    assertThat(newest(page, "clients")).isEqualTo(1L);
                    assertThat((Long) newest(page, "p99Micros")).isBetween(1L, 60_000_000L);
                    assertThat(known(page, "hits") / (double) known(page, "misses"))
                            .isBetween(4.0, 6.0);
                    List<?> caches =
                            (List<?>) Objects.requireNonNull(figures(page).get("caches"));
                    assertThat(caches.stream()
                                    .map(cache -> (Object) object(cache).get("name"))
                                    .toList())
                            .isEqualTo(List.of("read", "written"));
                    assertThat(object(caches.get(1)).get("hits")).isEqualTo(0L);
                    assertThat((Long) object(caches.get(1)).get("puts")).isPositive();
                }
            }
        }
    }

    @Test
    void feedsHaveTheirReaders_andQueuesTheirMessages() throws Exception {
        try (LocalServers others = TestServers.none()) {
            LocalServer server = others.start(1).get(0);
            Connected these = new Connected();
            new CommandLine(these).parseArgs("--partitions=" + server.uri());
            try (CacheManager read = KeyslotManagers.openPatiently("feeds", List.of(server.uri()));
                    OperatorPage page = OperatorPage.open(
                            0,
                            new SignIns(null),
                            new OperatorPage.Rhythm(Duration.ofSeconds(1), 100),
                            these.connection)) {
                PartitionedQueue<String> orders =
                        read.unwrap(PartitionedCacheManager.class).queue("order", String.class);
                for (int i = 0; i < 3; i++) {
                    orders.send("in session", SendOptions.inSession("customer 99"));
                }
                @SuppressWarnings("unchecked") // the view has the types of its cache
                PartitionedCache<String, String> cache = read.createCache(
                                "fed", new PartitionedConfiguration<String, String>().setFeed(FeedOptions.defaults()))
                        .unwrap(PartitionedCache.class);
                FeedSubscription unused = cache.subscribe("mirror", FeedStart.earliest(), batch -> {});
                cache.put("k", "value");

                await().ignoreExceptions()
                        .atMost(LONGEST)
                        .until(() ->
                                String.valueOf(state(page, "feeds").get("rows")).matches(".*group=mirror.*"));
                Map<?, ?> row = object(
                        ((List<?>) Objects.requireNonNull(state(page, "feeds").get("rows"))).get(0));
                assertThat(row.get("group")).isEqualTo("mirror");
                assertThat(row.get("partition")).isEqualTo("p1");
                assertThat((Long) row.get("changes")).isNotNegative();
                await().ignoreExceptions()
                        .atMost(LONGEST)
                        .until(() -> ((List<?>) Objects.requireNonNull(
                                        state(page, "queues").get("rows")))
                                .equals(List.of(Map.of(
                                        "partition",
                                        "p1",
                                        "queue",
                                        "order",
                                        "ready",
                                        1L,
                                        "leased",
                                        0L,
                                        "waiting",
                                        2L,
                                        "dead",
                                        0L))));
                assertThat(state(page, "queues").get("isComplete")).isEqualTo(true);
            }
        }
    }

    private Map<?, ?> figures(OperatorPage page) throws Exception {
        return state(page, "figures");
    }

    private Map<?, ?> state(OperatorPage page, String part) throws Exception {
        URI uri = URI.create(page.address()).resolve("/api/state");
        return object(json(client.send(
                        HttpRequest.newBuilder(uri).timeout(LONGEST).build(), HttpResponse.BodyHandlers.ofString()))
                .get(part));
    }

    private long known(OperatorPage page, String column) throws Exception {
        return (Long) Objects.requireNonNull(newest(page, column));
    }

    private @Nullable Object newest(OperatorPage page, String column) throws Exception {
        List<?> values = (List<?>) Objects.requireNonNull(figures(page).get(column));
        return values.get(values.size() - 1);
    }
}

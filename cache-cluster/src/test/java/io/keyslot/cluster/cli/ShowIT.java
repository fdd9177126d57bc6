// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the commands tell of three servers is what the servers hold and say themselves. */
@SideBySide
class ShowIT {
    private static final int CUSTOMERS = 300;

    private static final TestServers SERVERS = TestServers.start(3, "--maxmemory", "64mb");
    private static final String PARTITIONS = "--partitions=" + String.join(",", SERVERS.uris());
    private static final KeyslotCachingProvider PROVIDER = new KeyslotCachingProvider();
    private static Cache<Integer, String> customers;
    private static Cache<String, String> sales;

    @BeforeAll
    static void fill() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", SERVERS.uris()));
        properties.setProperty("keyslot.deadlines.call", "10s");
        properties.setProperty("keyslot.deadlines.command", "5s");
        properties.setProperty("keyslot.deadlines.connect", "5s");
        properties.setProperty("keyslot.trafficReports", "1s");
        CacheManager manager = PROVIDER.getCacheManager(URI.create("show"), ShowIT.class.getClassLoader(), properties);
        customers = manager.createCache(
                "customer", new PartitionedConfiguration<Integer, String>().setTypes(Integer.class, String.class));
        sales = manager.createCache(
                "sale",
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setGroupedBy("customer"));
        for (int i = 0; i < CUSTOMERS; i++) {
            customers.put(i, "x".repeat(100));
        }
        customers.put(17, "x".repeat(5_000));
        sales.put("large", "y".repeat(30_000));
    }

    @AfterAll
    static void close() throws Exception {
        PROVIDER.close();
        SERVERS.close();
    }

    private static CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(PARTITIONS);
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static Map<?, ?> json(String text) {
        return (Map<?, ?>) known(JsonReader.read(text.strip().getBytes(StandardCharsets.UTF_8)));
    }

    private static Object known(@Nullable Object value) {
        return Objects.requireNonNull(value);
    }

    private static String text(Map<?, ?> json, String name) {
        return (String) known(json.get(name));
    }

    private static List<Map<?, ?>> rows(Map<?, ?> json, String name) {
        return ((List<?>) known(json.get(name)))
                .stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
    }

    private static List<Long> ask(ToLongFunction<RedisCommands<String, String>> question) {
        List<Long> answers = new ArrayList<>();
        for (String uri : SERVERS.uris()) {
            RedisClient client = RedisClient.create(uri);
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                answers.add(question.applyAsLong(connection.sync()));
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            }
        }
        return answers;
    }

    @Test
    void status_isWhatTheServersSay() {
        CommandRun run = run("status", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<?, ?> status = json(run.out());
        List<Map<?, ?>> partitions = rows(status, "partitions");
        assertThat(partitions).extracting(row -> text(row, "partition")).containsExactly("p1", "p2", "p3");
        assertThat(partitions).allSatisfy(row -> {
            assertThat(row.get("answers")).isEqualTo(true);
            assertThat(row.get("maximumBytes")).isEqualTo(64L << 20);
            assertThat((Long) row.get("usedBytes")).isBetween(100_000L, 64L << 20);
            assertThat(row.get("clients")).isEqualTo(1L);
            assertThat(row.get("clientsBehind")).isEqualTo(0L);
        });
        assertThat(partitions.stream()
                        .mapToLong(row -> (Long) known(row.get("slots")))
                        .sum())
                .isEqualTo(16_384);
        assertThat(partitions.stream().<Object>map(row -> row.get("keys")).toList())
                .isEqualTo(ask(RedisCommands::dbsize).stream()
                        .<Object>map(size -> size)
                        .toList());
        assertThat(rows(status, "moves")).isEmpty();
    }

    @Test
    void statusThatIsWatched_isToldAgain() {
        CommandRun table = run("status", "--watch", "--looks", "2", "--interval", "1");
        CommandRun documents = run("status", "--watch", "--looks", "2", "--interval", "1", "-o", "json");

        assertThat(table.out().lines().filter(line -> line.startsWith("Map ")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).endsWith("; 3 of 3 partitions answer; no moves"));
        assertThat(documents.out().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(text(json(line), "map")).isNotEmpty());
    }

    @Tag("thorough")
    @Test
    void serverThatIsGone_isSilent_andTheOthersAreTold() {
        try (LocalServers own = TestServers.none()) {
            String alive = own.start(1).get(0).uri();
            CommandRun run = CommandRun.of("status", "--partitions=" + alive + ",redis://127.0.0.1:1");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out()).contains("silent").contains("; 1 of 2 partitions answer; ");
            assertThat(run.out().lines().filter(line -> line.startsWith("p2 ")))
                    .hasSize(1)
                    .allMatch(line -> line.contains(" silent ") && !line.contains("active"));
            assertThat(run.err()).contains("Note: p2: ").doesNotContain("WARN");
            for (String table : List.of("load", "clients")) {
                assertThat(CommandRun.of(table, "--partitions=" + alive + ",redis://127.0.0.1:1")
                                .out())
                        .as(table)
                        .containsPattern("(?m)^p2 +silent ");
            }
        }
    }

    @Test
    void callsThatNoClientHasTold_areNotZero() {
        try (LocalServers own = TestServers.none()) {
            CommandRun run =
                    CommandRun.of("load", "--partitions=" + own.start(1).get(0).uri());

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out().lines().filter(line -> line.startsWith("p1 ")))
                    .hasSize(1)
                    .allMatch(line -> line.matches("p1 +answers +16,384 +- +- +- +0 +0.0 MiB *"));
        }
    }

    @Test
    void load_tellsWhatClientsAskForMost() throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Future<?> reading = reader.submit(() -> {
            while (goesOn.get()) {
                customers.get(17);
                customers.get(CUSTOMERS + 1);
                sales.get("large");
            }
        });
        Set<String> read = Set.of("customer:17", "customer:" + (CUSTOMERS + 1), "sale:{customer:large}");
        Map<?, ?> load = Map.of();
        try {
            // The first report may be of the moment in which the reader had hardly begun.
            for (int attempt = 0; attempt < 100 && !namesOf(load, "keys").equals(read); attempt++) {
                CommandRun run = run("load", "--top", "3", "--sample", "0", "-o", "json");
                assertThat(run.exitCode()).as(run.err()).isZero();
                load = json(run.out());
            }
        } finally {
            goesOn.set(false);
            reading.get();
            reader.shutdown();
        }
        assertThat(namesOf(load, "keys")).isEqualTo(read);
        assertThat(namesOf(load, "groups")).contains("customer:large");
        assertThat(run("load").out()).contains("Calls/s", "customer:17", "customer:large");
    }

    private static Set<String> namesOf(Map<?, ?> load, String kind) {
        return load.containsKey(kind)
                ? rows(load, kind).stream().map(row -> text(row, "name")).collect(Collectors.toSet())
                : Set.of();
    }

    @Test
    void load_weighsWhatTheServersStore() {
        CommandRun run = run("load", "--by", "bytes", "--top", "2", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<?, ?> group = rows(json(run.out()), "groups").get(0);
        assertThat(group.get("name")).isEqualTo("customer:large");
        assertThat(group.get("bytes")).isEqualTo(bytesOf("*{customer:large}*"));
        List<Map<?, ?>> keys = rows(json(run.out()), "keys");
        assertThat(keys.get(1).get("name")).isEqualTo("customer:17");
        assertThat(keys.get(1).get("bytes")).isEqualTo(bytesOf("customer:17"));
        assertThat(((Map<?, ?>) known(json(run.out()).get("total"))).get("keys"))
                .isEqualTo(CUSTOMERS + 2L);
    }

    private static long bytesOf(String pattern) {
        return ask(server -> server.keys(pattern).stream()
                        .mapToLong(server::memoryUsage)
                        .sum())
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void loadOfASample_isAnEstimate_andSaysSo() {
        CommandRun run = run("load", "--by", "keys", "--sample", "1", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat((Long) known(((Map<?, ?>) known(json(run.out()).get("total"))).get("keys")))
                .isBetween(CUSTOMERS / 2L, CUSTOMERS * 2L);
    }
}

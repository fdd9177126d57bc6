// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.json.JsonReader;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void serverThatIsGone_isSilent_andTheOthersAreTold() {
        try (LocalServers own = LocalServers.create()) {
            String alive = own.start(1).get(0).uri();
            CommandRun run = CommandRun.of("status", "--partitions=" + alive + ",redis://127.0.0.1:1");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out()).contains("silent").contains("; 1 of 2 partitions answer; ");
            assertThat(run.out().lines().filter(line -> line.startsWith("p2 ")))
                    .hasSize(1)
                    .allMatch(line -> line.contains(" silent ") && !line.contains("active"));
            assertThat(run.err()).contains("Note: p2: ");
        }
    }

    /** What is not known is no zero, and no part of a whole. */
    @ParameterizedTest
    @ValueSource(strings = {"stats customer", "load --by bytes"})
    void serverThatIsGone_hasARowWithoutAmounts(String command) {
        try (LocalServers own = LocalServers.create()) {
            String alive = own.start(1).get(0).uri();
            CommandRun run = CommandRun.of((command + " --partitions=" + alive + ",redis://127.0.0.1:1").split(" "));

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.out().lines().filter(line -> line.startsWith("p2 ")))
                    .hasSize(1)
                    .allMatch(line -> line.replaceAll("p2|8,192", "").matches("[- ]+"));
            assertThat(run.out()).doesNotContain("\nall  ");
            assertThat(run.err()).doesNotContain("io.keyslot", "Exception", "ConnectFailure");
        }
    }

    @Test
    void callsThatNoClientHasTold_areNotZero() {
        try (LocalServers own = LocalServers.create()) {
            CommandRun run =
                    CommandRun.of("load", "--partitions=" + own.start(1).get(0).uri());

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out().lines().filter(line -> line.startsWith("p1 ")))
                    .hasSize(1)
                    .allMatch(line -> line.matches("p1 +16,384 +- +- +- +0 +0.0 MiB *"));
        }
    }

    /** A file that names caches, and a name that it does not have. */
    @Test
    void cacheThatNothingKnows_isRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("keyslot.yaml");
        Files.writeString(
                file, "partitions: ['%s']\ncaches: { customer: {} }\n".formatted(String.join("', '", SERVERS.uris())));

        CommandRun run = CommandRun.of("stats", "costumer", "--config=" + file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("There is no cache costumer", "the configuration has customer");
        assertThat(run("stats", "costumer").err()).contains("Note: no partition has an entry of the cache costumer");
    }

    @Test
    void top_tellsWhatTheServersCount_andWhatClientsReport() throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Future<?> reading = reader.submit(() -> {
            while (goesOn.get()) {
                customers.get(17);
                customers.get(CUSTOMERS + 1);
            }
        });
        Set<String> read = Set.of("customer:17", "customer:" + (CUSTOMERS + 1));
        Map<?, ?> top = Map.of();
        try {
            // The first report may be of the moment in which the reader had hardly begun.
            for (int attempt = 0; attempt < 10 && !rootsOf(top).equals(read); attempt++) {
                CommandRun run = run("top", "--interval", "1", "-n", "2", "-o", "json");
                assertThat(run.exitCode()).as(run.err()).isZero();
                top = json(run.out());
            }
        } finally {
            goesOn.set(false);
            reading.get();
            reader.shutdown();
        }
        List<Map<?, ?>> partitions = rows(top, "partitions");
        assertThat(partitions).hasSize(3).allMatch(row -> row.get("commandsPerMinute") instanceof Long);
        assertThat(partitions).anyMatch(row -> (Long) known(row.get("foundPerMinute")) > 600);
        assertThat(partitions).anyMatch(row -> (Long) known(row.get("missedPerMinute")) > 600);
        assertThat(rows(top, "slots"))
                .hasSize(2)
                .extracting(row -> text(row, "root"))
                .containsExactlyInAnyOrderElementsOf(read);
        assertThat(run("top", "--interval", "1").out()).contains("Missed/s").contains("customer:17");
    }

    private static Set<String> rootsOf(Map<?, ?> top) {
        return rowsOf(top, "slots").stream().map(row -> text(row, "root")).collect(Collectors.toSet());
    }

    private static List<Map<?, ?>> rowsOf(Map<?, ?> json, String name) {
        return json.containsKey(name) ? rows(json, name) : List.of();
    }

    @Test
    void stats_countTheEntriesOfOneCache() {
        CommandRun run = run("stats", "customer", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<?, ?> stats = json(run.out());
        assertThat(stats.get("entries")).isEqualTo((long) CUSTOMERS);
        long bytes = ask(server -> server.keys("customer:*").stream()
                        .mapToLong(server::memoryUsage)
                        .sum())
                .stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(stats.get("bytes")).isEqualTo(bytes);
        assertThat(((Map<?, ?>) known(stats.get("largest"))).get("key")).isEqualTo("customer:17");
        assertThat(stats.get("readsPerMinute")).isNull();
        assertThat(run.err()).contains("no client has told reads of the cache customer");
        assertThat(run("stats", "customer").out()).contains("The largest entry seen: customer:17, ");
        assertThat(json(run("stats", "nothing", "-o", "json").out()).get("entries"))
                .isEqualTo(0L);
    }

    @Test
    void statsOfASample_areEstimates_andSaySo() {
        CommandRun run = run("stats", "customer", "--sample", "1", "-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat((Long) known(json(run.out()).get("entries"))).isBetween(CUSTOMERS / 2L, CUSTOMERS * 2L);
    }

    @Test
    void groups_thatAreLarge_areFound_withWhatTheyTake() {
        CommandRun run = run("groups", "--larger-than", "20KiB", "-o", "json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<Map<?, ?>> groups = rows(json(run.out()), "groups");
        long bytes =
                ask(server -> server.keys("*{customer:large}*").stream()
                                .mapToLong(server::memoryUsage)
                                .sum())
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum();
        assertThat(groups).hasSize(1);
        assertThat(groups.get(0).get("root")).isEqualTo("customer:large");
        assertThat(groups.get(0).get("bytes")).isEqualTo(bytes);
        assertThat(groups.get(0).get("errorBytes")).isEqualTo(0L);
        assertThat(run("groups").out()).contains("; 0 groups with more than 1,048,576 bytes");
        assertThat(run("groups", "--larger-than", "4096", "-n", "1").out())
                .contains("; 2 groups")
                .contains("customer:large")
                .doesNotContain("customer:17");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.json.JsonReader;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveRuns;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.cluster.plan.PlannedMove;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clients ask three servers for many things of the first one, and for one of them most of all. The tool finds that by their
 * reports; its plan evens it out, while they go on.
 */
@Tag("thorough")
@SideBySide
class LoadIT {
    /** Few, so that a sample of seconds tells each of them well. */
    private static final int HOT_KEYS = 60;

    private static final int OTHER_KEYS = 150;

    /** In so many steps of a round, the hottest key is asked for in each, the hot ones in some, the others in one. */
    private static final int STEPS = 60;

    private static final int OF_HOT = 15;

    private final TestServers servers = TestServers.start(3);
    private final String partitions = "--partitions=%s,%s,%s".formatted(servers.uri(0), servers.uri(1), servers.uri(2));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final List<KeyslotCachingProvider> providers = new ArrayList<>();
    private final Map<String, Integer> weights = new TreeMap<>();
    private final Set<String> hot = new HashSet<>();
    private final Set<String> others = new HashSet<>();
    private String hottest = "";

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        goesOn.set(false);
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        providers.forEach(KeyslotCachingProvider::close);
        servers.close();
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", partitions.substring(partitions.indexOf('=') + 1));
        properties.setProperty("keyslot.deadlines.call", "10s");
        properties.setProperty("keyslot.deadlines.command", "5s");
        properties.setProperty("keyslot.deadlines.connect", "5s");
        return properties;
    }

    private Cache<String, String> cache(String reports) {
        Properties properties = properties();
        properties.setProperty("keyslot.trafficReports", reports);
        KeyslotCachingProvider provider = new KeyslotCachingProvider();
        providers.add(provider);
        PartitionedCacheManager manager = provider.getCacheManager(
                        URI.create("load"), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
        return manager.createCache("customer", new PartitionedConfiguration<>());
    }

    private static int slotOf(String key) {
        return HashSlot.of("customer:" + key);
    }

    /** The first server has slots 0 to 5461. */
    private void chooseKeys() {
        for (int i = 0; hot.size() < HOT_KEYS || others.size() < 2 * OTHER_KEYS; i++) {
            String key = "k" + i;
            boolean isOfFirst = slotOf(key) <= 5461;
            if (isOfFirst && hottest.isEmpty()) {
                hottest = key;
                weights.put(key, STEPS);
            } else if (isOfFirst && hot.size() < HOT_KEYS) {
                hot.add(key);
                weights.put(key, OF_HOT);
            } else if (!isOfFirst && others.size() < 2 * OTHER_KEYS) {
                others.add(key);
                weights.put(key, 1);
            }
        }
    }

    private int work(Cache<String, String> cache) {
        int rounds = 0;
        while (goesOn.get()) {
            for (int step = 0; step < STEPS; step++) {
                assertThat(cache.get(hottest)).isEqualTo("of " + hottest);
                if (step % (STEPS / OF_HOT) == 0) {
                    assertThat(cache.getAll(hot)).hasSize(hot.size());
                }
            }
            assertThat(cache.getAll(others)).hasSize(others.size());
            rounds++;
        }
        return rounds;
    }

    private double shareOf(PartitionMap map, PartitionId id) {
        double all = weights.values().stream().mapToInt(Integer::intValue).sum();
        return weights.entrySet().stream()
                        .filter(key ->
                                map.ownerOf(slotOf(key.getKey())).orElseThrow().equals(id))
                        .mapToInt(Map.Entry::getValue)
                        .sum()
                / all;
    }

    @Test
    void hottestGroup_isFound_andTheLoadIsEvened_whileClientsGoOn() throws Exception {
        chooseKeys();
        Cache<String, String> first = cache("8s");
        Cache<String, String> second = cache("8s");
        weights.keySet().forEach(key -> first.put(key, "of " + key));
        List<Future<Integer>> workers = List.of(threads.submit(() -> work(first)), threads.submit(() -> work(second)));

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> load().out().contains("\"clients\":2"));
        assertFound();
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            PartitionMap before = catalogue.maps().read();
            assertThat(shareOf(before, new PartitionId("p1"))).isGreaterThan(0.7);
            Plan plan = plan();
            PartitionMap after = apply(catalogue, plan);

            for (String name : List.of("p1", "p2", "p3")) {
                assertThat(shareOf(after, new PartitionId(name)))
                        .as(name)
                        .isLessThanOrEqualTo(1.15 / 3)
                        .isGreaterThan(0.25);
            }
            assertThat(after.ownerOf(slotOf(hottest))).isPresent();
        }
        goesOn.set(false);
        for (Future<Integer> worker : workers) {
            assertThat(worker.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }

    private CommandRun load() {
        return CommandRun.of("load", "-o", "json", "--top", "3", partitions);
    }

    private void assertFound() throws Exception {
        CommandRun json = load();
        assertThat(json.exitCode()).as(json.err()).isZero();
        Map<?, ?> found = object(JsonReader.read(json.out().strip().getBytes(StandardCharsets.US_ASCII)));
        Map<?, ?> top = object(((List<?>) known(found, "slots")).get(0));
        assertThat(top.get("slot")).isEqualTo((long) slotOf(hottest));
        assertThat(object(((List<?>) known(found, "keys")).get(0)).get("name")).isEqualTo("customer:" + hottest);
        assertThat(top.get("partition")).isEqualTo("p1");
        Map<?, ?> total = object(found.get("total"));
        assertThat((Long) known(total, "keys")).isEqualTo(weights.size());
        assertThat((Long) known(total, "bytes")).isGreaterThan(weights.size() * 20L);
        double expected = (double) STEPS / (STEPS + OF_HOT * HOT_KEYS + 2 * OTHER_KEYS);
        double calls = (double) (Long) known(top, "callsPerMinute");
        assertThat(calls / (Long) known(total, "callsPerMinute")).isCloseTo(expected, within(expected / 3));

        CommandRun table = CommandRun.of("load", "--top", "3", partitions);
        assertThat(table.out()).contains("reports of 2 clients", "Partition", "customer:" + hottest);
        CommandRun byKeys = CommandRun.of("load", "--by", "keys", "--sample", "0", partitions);
        assertThat(byKeys.out()).doesNotContain("Share of keys");
    }

    private static Map<?, ?> object(@Nullable Object json) {
        return (Map<?, ?>) Objects.requireNonNull(json);
    }

    private static Object known(Map<?, ?> object, String name) {
        return Objects.requireNonNull(object.get(name), name);
    }

    private Plan plan() throws Exception {
        Path file = folder.resolve("plan.json");
        CommandRun run =
                CommandRun.of("plan", "rebalance", "--by", "calls", "--threshold", "15%", "--out=" + file, partitions);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("Load now", "slots move, about ");
        Plan plan = PlanDocument.read(Files.readAllBytes(file));
        assertThat(plan.request()).isEqualTo("rebalance by calls");
        assertThat(plan.movedSlots()).isBetween(20, 60);
        return plan;
    }

    /** As an operator's command does it. */
    private PartitionMap apply(OpenCatalogue catalogue, Plan plan) throws Exception {
        PartitionMap before = catalogue.maps().read();
        PartitionMap begun = before.next(new MapCommit("plan-1", "operator", "", Instant.EPOCH), content -> {
            var changed = plan.begin(content);
            int number = 0;
            for (PlannedMove move : plan.moves()) {
                changed = changed.begin(
                        Move.waiting("m" + number++, move.from(), move.to(), move.slots(), "operator", MovePace.FULL));
            }
            return changed;
        });
        assertThat(catalogue.maps().compareAndSet(before, begun)).isEqualTo(MapStore.Stored.DONE);
        Map<String, Migration.Outcome> outcomes =
                new MoveRuns("load-it", catalogue.maps(), catalogue::connector, catalogue.time(), threads).run();
        assertThat(outcomes)
                .hasSize(plan.moves().size())
                .allSatisfy((move, outcome) -> assertThat(outcome).isEqualTo(Migration.Outcome.FINISHED));
        PartitionMap after = catalogue.maps().read();
        assertThat(after.moves()).isEmpty();
        return after;
    }

    private ClientOptions options() {
        Properties properties = properties();
        properties.setProperty("keyslot.adoptInstances", "false");
        URI uri = URI.create("test");
        return ConfigurationLoader.load(
                uri, uri, getClass().getClassLoader(), properties, Map.<String, String>of()::get);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An outage of one of three servers, for many managers with a loader of their own.
 *
 * <p>{@code -Dtests.gutter.keys} says how many keys are read, {@code -Dtests.gutter.processes} by how many managers,
 * {@code -Dtests.gutter.seconds} for how long, and {@code -Dtests.gutter.for} how many seconds copies are kept. The output
 * has the loads and reads.
 */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class GutterIT {
    private static final Ticker TICKER = new SystemTicker();
    private static final int KEYS = Integer.getInteger("tests.gutter.keys", 300);
    private static final int PROCESSES = Integer.getInteger("tests.gutter.processes", 30);
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("tests.gutter.seconds", 6));
    private static final Duration KEPT = Duration.ofSeconds(Integer.getInteger("tests.gutter.for", 3));
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<PartitionedCacheManager> managers = new ArrayList<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Map<Integer, Long> database = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> loads = new ConcurrentHashMap<>();
    private LocalServers servers;
    private Map<String, LocalServer> partitions;

    @BeforeEach
    void start() {
        servers = TestServers.none();
        partitions = new HashMap<>();
        List.of("p1", "p2", "p3").forEach(name -> partitions.put(name, servers.start()));
        IntStream.range(0, KEYS).forEach(key -> database.put(key, 0L));
    }

    @AfterEach
    void end() throws IOException {
        threads.shutdownNow();
        managers.forEach(PartitionedCacheManager::close);
        servers.close();
    }

    private PartitionedCache<Integer, Long> open(boolean hasGutter, Map<String, String> more) {
        Map<String, Object> settings = new HashMap<>(KeyslotManagers.LONG_DEADLINES);
        partitions.forEach((name, server) -> settings.put("keyslot.partitions.%s.uri".formatted(name), server.uri()));
        settings.put("keyslot.meterRegistry", registry);
        if (hasGutter) {
            settings.put("keyslot.caches.product.gutter.for", KEPT.toSeconds() + "s");
        }
        settings.putAll(more);
        PartitionedCacheManager manager = (PartitionedCacheManager)
                KeyslotManagers.openPartitions("gutter-" + OPENED.incrementAndGet(), settings);
        managers.add(manager);
        return manager.createCache("product", configuration());
    }

    private PartitionedConfiguration<Integer, Long> configuration() {
        return new PartitionedConfiguration<Integer, Long>()
                .setTypes(Integer.class, Long.class)
                .setLoading(LoadingOptions.defaults().withPatience(LONG).withBulkhead(10_000))
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> MapLoader.answering(key -> {
                    loads.computeIfAbsent(key, first -> new LongAdder()).increment();
                    return database.get(key);
                }));
    }

    private List<PartitionedCache<Integer, Long>> openAll(int processes, boolean hasGutter) {
        return IntStream.range(0, processes)
                .mapToObj(process -> open(hasGutter, Map.of()))
                .toList();
    }

    private long loaded() {
        return loads.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private static boolean isMissing(PartitionedCache<Integer, Long> cache, String partition) {
        return stateOf(cache, partition) == PartitionState.MISSING;
    }

    private static PartitionState stateOf(PartitionedCache<Integer, Long> cache, String partition) {
        return cache.getCacheManager().partitions().stream()
                .filter(status -> status.id().name().equals(partition))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private String partitionOf(PartitionedCache<Integer, Long> cache, int key) {
        return String.valueOf(cache.explain(key).partition());
    }

    private Set<Integer> keysOf(PartitionedCache<Integer, Long> cache, String partition) {
        Set<Integer> keys = new HashSet<>();
        database.keySet().stream()
                .filter(key -> partitionOf(cache, key).equals(partition))
                .forEach(keys::add);
        return keys;
    }

    private void killAndAwait(String partition, List<PartitionedCache<Integer, Long>> caches) {
        partition(partition).kill();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> caches.stream().noneMatch(cache -> stateOf(cache, partition) == PartitionState.HEALTHY));
        Awaitility.await()
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> caches.stream().anyMatch(cache -> isMissing(cache, partition)));
    }

    /** Lets each process read random keys with one thread, by turns alone and ten at once; returns how many it has read. */
    private long readFor(Duration time, List<PartitionedCache<Integer, Long>> caches, List<Integer> keys)
            throws Exception {
        LongAdder reads = new LongAdder();
        long end = TICKER.nanos() + time.toNanos();
        List<Future<?>> readers = new ArrayList<>();
        for (PartitionedCache<Integer, Long> cache : caches) {
            readers.add(threads.submit(() -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                while (TICKER.nanos() < end) {
                    Set<Integer> some = new HashSet<>();
                    for (int i = random.nextBoolean() ? 1 : 10; i > 0; i--) {
                        some.add(keys.get(random.nextInt(keys.size())));
                    }
                    Map<Integer, Long> found = some.size() == 1
                            ? Map.of(
                                    some.iterator().next(),
                                    cache.get(some.iterator().next()))
                            : cache.getAll(some);
                    assertThat(found).hasSameSizeAs(some);
                    reads.add(some.size());
                }
                return null;
            }));
        }
        for (Future<?> reader : readers) {
            reader.get(time.plus(LONG).toSeconds(), TimeUnit.SECONDS);
        }
        return reads.sum();
    }

    @Test
    void outage_costsALoadForEachKeyAndTime_andNotForEachRead() throws Exception {
        List<PartitionedCache<Integer, Long>> caches = openAll(PROCESSES, true);
        List<Integer> all = List.copyOf(database.keySet());
        Set<Integer> lost = keysOf(caches.get(0), "p2");
        readFor(SHORT, caches, all);
        loads.clear();

        long start = TICKER.nanos();
        partition("p2").kill();
        long reads = readFor(OUTAGE, caches, all);
        Duration outage = Duration.ofNanos(TICKER.nanos() - start);

        long lostLoads = loads.entrySet().stream()
                .filter(load -> lost.contains(load.getKey()))
                .mapToLong(load -> load.getValue().sum())
                .sum();
        long bound = lost.size() * (long) Math.ceil(outage.toMillis() / (double) KEPT.toMillis() + 1);
        System.out.printf(
                "with a gutter of %d s: %d loads of %d lost keys for about %d reads of them in %d ms by %d processes, at most %d are allowed%n",
                KEPT.toSeconds(),
                lostLoads,
                lost.size(),
                reads * lost.size() / all.size(),
                outage.toMillis(),
                PROCESSES,
                bound);
        assertThat(lostLoads).isBetween(lost.size() / 2L, bound);
        assertThat(reads * lost.size() / all.size()).isGreaterThan(bound);
        assertThat(registry.get("keyslot.gutter").tag("event", "read").counters())
                .anySatisfy(counter -> assertThat(counter.count()).isPositive());
        assertThat(registry.get("keyslot.gutter").tag("event", "stored").counters())
                .anySatisfy(counter -> assertThat(counter.count()).isPositive());
    }

    @Test
    void withoutIt_anOutageCostsALoadForEachRead() throws Exception {
        List<PartitionedCache<Integer, Long>> caches = openAll(PROCESSES, false);
        List<Integer> lost = List.copyOf(keysOf(caches.get(0), "p2"));
        killAndAwait("p2", caches);
        loads.clear();

        long reads = readFor(SHORT, caches, lost);

        System.out.printf("without a gutter: %d loads for %d reads by %d processes%n", loaded(), reads, PROCESSES);
        assertThat(loaded()).isBetween(reads * 9 / 10, reads);
    }

    @Test
    void secondServerThatIsKilled_costsLoads_andNoRead() throws Exception {
        List<PartitionedCache<Integer, Long>> caches = openAll(5, true);
        List<Integer> all = List.copyOf(database.keySet());
        partition("p2").kill();
        readFor(SHORT, caches, all);
        partition("p1").kill();
        readFor(SHORT, caches, all);
        long before = loaded();
        readFor(SHORT, caches, all);
        assertThat(loaded() - before).as("the third server keeps the copies").isLessThan(3L * KEYS);

        partition("p3").kill();
        readFor(SHORT, caches, all);
    }

    @Test
    void copies_endOnTheServers_andShowNothing() throws Exception {
        String secret = "Zm9yIGEgdGVzdCBvZiBrZXlzLCBhbmQgbm8gb3RoZXI=";
        PartitionedCache<Integer, Long> cache = open(
                true,
                Map.of(
                        "keyslot.caches.product.hashedKeys", secret,
                        "keyslot.caches.product.encryption.key", secret));
        Set<Integer> lost = keysOf(cache, "p2");
        killAndAwait("p2", List.of(cache));
        cache.getAll(lost);
        loads.clear();
        assertThat(cache.getAll(lost)).hasSameSizeAs(lost);
        assertThat(loaded()).isZero();

        assertThat(copiesAt("p1") + copiesAt("p3")).isEqualTo(lost.size());
        Awaitility.await().atMost(LONG).until(() -> copiesAt("p1") + copiesAt("p3") == 0);
    }

    private LocalServer partition(String name) {
        return Objects.requireNonNull(partitions.get(name));
    }

    private int copiesAt(String partition) {
        try (RedisClient client = RedisClient.create(partition(partition).uri())) {
            RedisCommands<String, String> commands =
                    client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
            List<String> keys = commands.keys("keyslot:gutter:*");
            assertThat(keys).allSatisfy(key -> {
                assertThat(key).matches("keyslot:gutter:\\{[0-9a-f]+\\.\\d+}product:[\\w-]{22}");
                assertThat(commands.pttl(key)).isNotEqualTo(-1).isLessThanOrEqualTo(KEPT.toMillis());
            });
            return keys.size();
        }
    }

    /** The slots of a node that is killed have no owner that answers, and the others go on. */
    @Test
    void nodeOfACluster_hasCopiesToo() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(3, 0, "--cluster-require-full-coverage", "no")) {
            List<PartitionedCache<Integer, Long>> caches = new ArrayList<>();
            for (int process = 0; process < 3; process++) {
                Map<String, Object> settings = Map.of("keyslot.caches.product.gutter.for", LONG.toSeconds() + "s");
                PartitionedCacheManager manager = (PartitionedCacheManager)
                        KeyslotManagers.openCluster("gutter-" + OPENED.incrementAndGet(), cluster, settings);
                managers.add(manager);
                caches.add(manager.createCache("product", configuration()));
            }
            String lostNode = partitionOf(caches.get(0), 0);
            Set<Integer> lost = keysOf(caches.get(0), lostNode);
            cluster.ownerOf(caches.get(0).explain(0).slot()).server().kill();
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> caches.stream().allMatch(cache -> {
                        assertThat(cache.get(0)).isZero();
                        return isMissing(cache, lostNode);
                    }));
            caches.get(0).getAll(lost);
            loads.clear();

            caches.forEach(cache -> assertThat(cache.getAll(lost)).hasSameSizeAs(lost));

            assertThat(loaded()).isZero();
        }
    }

    /** Each process has a key of its own, which it changes first in the database; all processes read all keys. */
    @Test
    void ownWrites_areNeverUndone_whileServersComeAndGo() throws Exception {
        // Otherwise, another process could store at the owner what it loaded before a write that was refused.
        Map<String, String> journal = Map.of("keyslot.caches.product.missingPartitionWrites", "journal");
        List<PartitionedCache<Integer, Long>> caches =
                IntStream.range(0, 4).mapToObj(process -> open(true, journal)).toList();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        List<Future<?>> processes = new ArrayList<>();
        for (int i = 0; i < caches.size(); i++) {
            PartitionedCache<Integer, Long> cache = caches.get(i);
            int first = i;
            processes.add(threads.submit(() -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                while (!isOver.get()) {
                    int own = first + 4 * random.nextInt(10);
                    if (random.nextInt(5) == 0) {
                        long next = database.merge(own, 1L, Long::sum);
                        change(cache, own, next, random.nextInt(4));
                    }
                    assertThat(cache.get(own)).isEqualTo(database.get(own));
                    cache.getAll(Set.of(own, (own + 1 + random.nextInt(39)) % 40));
                    rounds.incrementAndGet();
                }
                return null;
            }));
        }
        for (int outage = 0; outage < 6; outage++) {
            LocalServer server = partition("p" + (1 + outage % 3));
            awaitMore(rounds, processes);
            server.kill();
            awaitMore(rounds, processes);
            server.restart();
        }
        awaitMore(rounds, processes);
        isOver.set(true);
        for (Future<?> process : processes) {
            process.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void awaitMore(AtomicInteger rounds, List<Future<?>> processes) {
        int enough = rounds.get() + 2_000;
        Awaitility.await()
                .atMost(LONG)
                .until(() -> rounds.get() >= enough || processes.stream().anyMatch(Future::isDone));
    }

    private static void change(PartitionedCache<Integer, Long> cache, int key, long value, int how) {
        List<LongConsumer> ways = List.of(
                next -> cache.put(key, next),
                next -> cache.remove(key),
                next -> cache.putAll(Map.of(key, next)),
                next -> cache.removeAll(Set.of(key)));
        try {
            ways.get(how).accept(value);
        } catch (KeyslotException e) {
            cache.getCacheManager(); // the outcome does not matter
        }
    }
}

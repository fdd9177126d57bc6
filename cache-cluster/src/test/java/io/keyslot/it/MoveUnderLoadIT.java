// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.register.Generation;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveRuns;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fourth server is added to three while an application works, and taken away again: a quarter of the slots goes there, and
 * comes back. No call fails, nothing is lost, nothing is counted twice.
 *
 * <p>{@code -Dtests.moves.entries} says how many entries there are.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class MoveUnderLoadIT {
    private static final Logger LOG = LoggerFactory.getLogger(MoveUnderLoadIT.class);
    private static final int ENTRIES = Integer.getInteger("tests.moves.entries", 30_000);
    private static final int CALLERS = 3;
    private static final List<PartitionId> ALL = IntStream.rangeClosed(1, 4)
            .mapToObj(number -> new PartitionId("p" + number))
            .toList();
    private static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());
    private static final PartitionId NEW = new PartitionId("p4");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisClient client = RedisClient.create();
    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong counted = new AtomicLong();
    private TestServers servers;
    private MapInMemory map;
    private KeyslotCachingProvider provider;
    private PartitionedCacheManager manager;
    private Cache<String, Long> cache;

    @BeforeEach
    void open() {
        servers = TestServers.start(ALL.size());
        List<PartitionId> three = ALL.subList(0, 3);
        SlotMap slots = SlotMap.ofEqualShares(1, three);
        MapContent content =
                new MapContent(three.stream().map(this::partition).toList(), SlotTable.of(slots), List.of());
        map = new MapInMemory(
                new PartitionMap(new MapStamp(Generation.CONFIGURED, 1), MapCommit.CONFIGURED, content), threads);
        provider = new KeyslotCachingProvider(new ClientAssembly(map::source));
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", servers.uri(0) + "," + servers.uri(1) + "," + servers.uri(2));
        manager = provider.getCacheManager(URI.create("moves"), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
        cache = manager.createCache(
                "numbers",
                new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL));
    }

    private MappedPartition partition(PartitionId id) {
        return MappedPartition.active(id, uri(id), 1);
    }

    private PartitionUri uri(PartitionId id) {
        return PartitionUriParser.uri(servers.uri(ALL.indexOf(id)));
    }

    @AfterEach
    void close() throws Exception {
        goesOn.set(false);
        threads.shutdownNow();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        provider.close();
        resources.close();
        servers.close();
    }

    @Test
    void fourthServer_getsItsSlots_andGivesThemBack_underLoad() throws Exception {
        fill();
        List<Future<Map<String, Long>>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            callers.add(threads.submit(() -> work(number)));
        }
        map.change(content -> content.add(partition(NEW)));

        long begin = System.nanoTime();
        Map<PartitionId, SlotSet> given = new HashMap<>();
        for (PartitionId giver : ALL.subList(0, 3)) {
            SlotSet slots = slotsOf(giver).highest(4_096 / 3);
            given.put(giver, slots);
            move(giver, NEW, slots);
        }
        assertThat(slotsOf(NEW).size()).isEqualTo(4_096 / 3 * 3);
        assertThat(keysAt(NEW)).isGreaterThan(ENTRIES / 5);
        for (PartitionId giver : ALL.subList(0, 3)) {
            move(NEW, giver, Objects.requireNonNull(given.get(giver)));
        }
        LOG.info("{} calls meanwhile, in {} ms", calls, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        goesOn.set(false);

        assertThat(calls).hasValueGreaterThan(1_000);
        for (Future<Map<String, Long>> caller : callers) {
            caller.get(30, TimeUnit.SECONDS)
                    .forEach((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
        }
        assertThat(cache.get("counter")).isEqualTo(counted.get());
        assertThat(manager.group(EntityKey.of("customer", 1)).counter("visits").get())
                .isEqualTo(counted.get());
        for (int i = 0; i < ENTRIES; i += 17) {
            assertThat(cache.get("rest" + i)).isEqualTo((long) i);
        }
        assertThat(keysAt(NEW)).isZero();
    }

    /**
     * A program that follows the map, and nothing else of Keyslot: what it writes while a slot is copied may not come along. What
     * it finds afterwards is a value that was written, and what is in slots that stay is not touched.
     */
    @Test
    void rawValues_move_whileAForeignClientWrites() throws Exception {
        Cache<String, String> prices = manager.createCache(
                "price",
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setLayout(ValueLayout.RAW)
                        .setMissingPartition(MissingPartitionPolicy.FAIL));
        List<String> ids = IntStream.range(0, 3_000).mapToObj(String::valueOf).toList();
        ids.forEach(id -> prices.put(id, "ours " + id));
        map.change(content -> content.add(partition(NEW)));
        SlotSet moving = slotsOf(ALL.get(0)).highest(2_000);
        Future<Set<String>> foreign = threads.submit(() -> writeAsAForeign(ids));

        move(ALL.get(0), NEW, moving);

        goesOn.set(false);
        Set<String> written = foreign.get(30, TimeUnit.SECONDS);
        assertThat(written).hasSizeGreaterThan(100);
        for (String id : ids) {
            String found = prices.get(id);
            if (moving.contains(slotOf(id))) {
                assertThat(found).isIn("ours " + id, "theirs " + id);
            } else {
                assertThat(found).isEqualTo((written.contains(id) ? "theirs " : "ours ") + id);
            }
        }
        assertThat(keysAt(NEW))
                .isEqualTo(
                        ids.stream().filter(id -> moving.contains(slotOf(id))).count());
    }

    private static int slotOf(String id) {
        return HashSlot.of(("price:" + id).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the ids of the prices that were written, each at the partition that had its slot just before. */
    private Set<String> writeAsAForeign(List<String> ids) {
        Map<PartitionId, StatefulRedisConnection<String, String>> connections = new HashMap<>();
        ALL.forEach(id -> connections.put(id, client.connect(RedisURI.create(servers.uri(ALL.indexOf(id))))));
        Set<String> written = new HashSet<>();
        Random random = new Random(1);
        while (goesOn.get()) {
            String id = ids.get(random.nextInt(ids.size()));
            PartitionId owner = map.read().slotMap().ownerOf(slotOf(id)).orElseThrow();
            String unused =
                    Objects.requireNonNull(connections.get(owner)).sync().set("price:" + id, "theirs " + id);
            written.add(id);
        }
        connections.values().forEach(StatefulRedisConnection::close);
        return written;
    }

    @Test
    void twoPairs_moveSideBySide() throws Exception {
        fill();
        map.change(content -> content.add(partition(NEW)));
        SlotSet some = slotsOf(ALL.get(0)).lowest(500);
        SlotSet others = slotsOf(ALL.get(2)).lowest(500);
        map.change(content -> content.begin(Move.begun("m1", ALL.get(0), ALL.get(1), some, "test")));
        map.change(content -> content.begin(Move.begun("m2", ALL.get(2), NEW, others, "test")));

        MoveRuns runs = new MoveRuns("coordinator", map, this::connector, TIME, threads);

        assertThat(runs.run()).isEqualTo(Map.of("m1", Migration.Outcome.FINISHED, "m2", Migration.Outcome.FINISHED));
        assertThat(runs.progress()).extracting(MoveProgress::step).containsOnly(MoveProgress.Step.OVER);
        assertThat(slotsOf(NEW)).isEqualTo(others);
        for (int i = 0; i < ENTRIES; i += 17) {
            assertThat(cache.get("rest" + i)).isEqualTo((long) i);
        }
    }

    @Test
    void moveThatIsGivenUp_leavesEverythingWhereItWas() throws Exception {
        fill();
        map.change(content -> content.add(partition(NEW)));
        SlotSet some = slotsOf(ALL.get(0)).lowest(500);
        map.change(content -> content.begin(Move.begun("m1", ALL.get(0), NEW, some, "test")));
        Migration run = new Migration("m1", "coordinator", map, this::connector, TIME);
        map.change(content -> content.pace("m1", pace -> pace.paused(true)));
        Future<Migration.Outcome> outcome = threads.submit(run::run);
        await(() -> run.progress().step() == MoveProgress.Step.PAUSED);

        map.change(content -> content.abort("m1"));

        assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(Migration.Outcome.GIVEN_UP);
        assertThat(map.read().moves()).isEmpty();
        assertThat(slotsOf(NEW).isEmpty()).isTrue();
        assertThat(keysAt(NEW)).isZero();
        for (int i = 0; i < ENTRIES; i += 17) {
            assertThat(cache.get("rest" + i)).isEqualTo((long) i);
        }
    }

    private static void await(BooleanSupplier condition) {
        Instant end = Instant.now().plusSeconds(30);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(end);
            Thread.onSpinWait();
        }
    }

    private void fill() {
        for (int from = 0; from < ENTRIES; from += 1_000) {
            Map<String, Long> some = new HashMap<>();
            for (int i = from; i < Math.min(ENTRIES, from + 1_000); i++) {
                some.put("rest" + i, (long) i);
            }
            cache.putAll(some);
        }
        cache.put("counter", 0L);
    }

    private SlotSet slotsOf(PartitionId owner) {
        return SlotSet.of(map.read().slotMap().rangesOf(owner));
    }

    private void move(PartitionId from, PartitionId to, SlotSet slots) {
        String id = from + "-" + to;
        map.change(content -> content.begin(Move.begun(id, from, to, slots, "test")));
        Migration run = new Migration(id, "coordinator-" + id, map, this::connector, TIME);

        Migration.Outcome outcome = run.run();

        MoveProgress progress = run.progress();
        LOG.info("{}", progress);
        assertThat(outcome).as(progress.toString()).isEqualTo(Migration.Outcome.FINISHED);
        assertThat(progress.lastTrouble()).isEmpty();
        assertThat(map.read().moves()).isEmpty();
    }

    private PartitionConnector connector(PartitionId id) {
        return MapInMemory.connector(resources, servers.uri(ALL.indexOf(id)), id, map.read());
    }

    /** Four of five calls read, the others write or count. What it finds is what it has written, in every call. */
    private Map<String, Long> work(int number) {
        Random random = new Random(number);
        Map<String, Long> written = new HashMap<>();
        long value = 0;
        while (goesOn.get()) {
            String key = "caller" + number + "-" + random.nextInt(500);
            int kind = random.nextInt(100);
            if (kind < 80) {
                assertThat(cache.get(key)).isEqualTo(written.get(key));
            } else if (kind < 95) {
                value++;
                cache.put(key, value);
                written.put(key, value);
            } else {
                count();
            }
            calls.incrementAndGet();
        }
        return written;
    }

    private void count() {
        Long unused = cache.invoke("counter", (entry, arguments) -> {
            entry.setValue(entry.getValue() + 1);
            return entry.getValue();
        });
        long unusedVisits =
                manager.group(EntityKey.of("customer", 1)).counter("visits").incrementAndGet();
        counted.incrementAndGet();
    }

    /** Without those that are in no slot. */
    private long keysAt(PartitionId id) {
        try (StatefulRedisConnection<String, String> plain =
                client.connect(RedisURI.create(servers.uri(ALL.indexOf(id))))) {
            return plain.sync().keys("*").stream()
                    .filter(key -> !key.startsWith("keyslot:") || key.startsWith("keyslot:{"))
                    .count();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.Placement;
import io.keyslot.client.map.RangeType;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.register.Generation;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.cluster.plan.PlacedEntry;
import io.keyslot.cluster.plan.PlacementEdit;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Placements on three servers: keys come to slots of their own, and these to other servers, while two clients work.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class PlacementsIT {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final List<PartitionId> ALL = List.of(P1, P2, P3);
    private static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());
    private static final EntityKey ACME = EntityKey.of("tenant", "acme");
    private static final PlacedEntry ENTRY = PlacedEntry.parse("acme");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisClient plain = RedisClient.create();
    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final List<KeyslotCachingProvider> providers = new ArrayList<>();
    private TestServers servers;
    private MapInMemory map;
    private PartitionedCacheManager newer;

    @BeforeEach
    void open() {
        servers = TestServers.start(ALL.size());
        MapContent content = new MapContent(
                ALL.stream().map(this::partition).toList(), SlotTable.of(SlotMap.ofEqualShares(1, ALL)), List.of());
        map = new MapInMemory(
                new PartitionMap(new MapStamp(Generation.CONFIGURED, 1), MapCommit.CONFIGURED, content), threads);
        newer = manager("newer", map::source);
    }

    private MappedPartition partition(PartitionId id) {
        return MappedPartition.active(id, PartitionUriParser.uri(servers.uri(ALL.indexOf(id))), 1);
    }

    private PartitionedCacheManager manager(String name, Function<ClientOptions, TopologySource> source) {
        KeyslotCachingProvider provider = new KeyslotCachingProvider(new ClientAssembly(source));
        providers.add(provider);
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", String.join(",", servers.uri(0), servers.uri(1), servers.uri(2)));
        return provider.getCacheManager(URI.create(name), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
    }

    @AfterEach
    void close() throws Exception {
        goesOn.set(false);
        threads.shutdownNow();
        plain.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        providers.forEach(KeyslotCachingProvider::close);
        resources.close();
        servers.close();
    }

    private static Cache<String, Long> cache(PartitionedCacheManager manager, String name) {
        return manager.createCache(
                name, new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL));
    }

    private void change(String type, Function<PlacementEdit, MapContent> edit) {
        map.change(content -> edit.apply(new PlacementEdit(content, type)));
    }

    private void awaitMap(PartitionedCacheManager manager) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> manager.slotMap().version() >= map.read().version());
    }

    private void move(SlotSet slots, PartitionId to) {
        for (PartitionId from : ALL) {
            SlotSet its = map.read().slots().slotsOf(from).and(slots);
            if (!its.isEmpty() && !from.equals(to)) {
                String id = "m-%d-%s-%s".formatted(map.read().version(), from, to);
                map.change(content -> content.begin(Move.begun(id, from, to, its, "test")));
                Migration run = new Migration(id, "c-" + id, map, this::connector, TIME);
                assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
                assertThat(run.progress().lastTrouble()).isEmpty();
            }
        }
    }

    private PartitionConnector connector(PartitionId id) {
        return MapInMemory.connector(resources, servers.uri(ALL.indexOf(id)), id, map.read());
    }

    /** Returns the keys of the application at a server, those of groups included. */
    private List<String> keysAt(PartitionId id) {
        try (StatefulRedisConnection<String, String> connection =
                plain.connect(RedisURI.create(servers.uri(ALL.indexOf(id))))) {
            return connection.sync().keys("*").stream()
                    .filter(key -> !key.startsWith("keyslot:") || key.startsWith("keyslot:{"))
                    .toList();
        }
    }

    /** Out of the hash, to another server, into four slots, back: with everything that a group has, while both clients work. */
    @Test
    void tenantWithItsGroup_isCarvedOut_moved_spread_andBackAgain_underLoad() throws Exception {
        PartitionedCacheManager other = manager("other", map::source);
        Cache<String, Long> tenants = cache(newer, "tenant");
        Cache<String, Long> same = cache(other, "tenant");
        for (long i = 0; i < 2_000; i++) {
            tenants.put("t" + i, i);
        }
        tenants.put("acme,always", 0L);
        CacheGroup group = newer.group(ACME);
        GroupLock.Held held =
                group.lock().tryLock(Duration.ZERO, Duration.ofMinutes(5)).orElseThrow();
        group.hash("carts", String.class, Long.class).put("one", 1L);
        PartitionId hashed = group.partition();
        PartitionId next = ALL.get((ALL.indexOf(hashed) + 1) % 3);
        List<Future<Long>> callers = List.of(
                threads.submit(() -> work(newer, tenants, "acme", 1)),
                threads.submit(() -> work(other, same, "acme,b", 2)),
                threads.submit(() -> walk(tenants)));

        change("tenant", edit -> edit.add(ENTRY, null));
        SlotSet carved = map.read().content().placements().slots();
        assertThat(carved.size()).isEqualTo(3);
        awaitMap(newer);
        assertThat(group.slot()).isGreaterThanOrEqualTo(16_384);
        assertThat(group.partition()).isEqualTo(hashed);
        move(carved, next);
        assertThat(group.partition()).isEqualTo(next);
        assertThat(keysAt(hashed)).noneMatch(key -> key.contains("acme"));
        change("tenant", edit -> edit.widen(ENTRY, 4));
        assertThat(map.read().content().placements().slots().size()).isEqualTo(4);
        move(SlotSet.of(map.read().content().placements().slots().stream().limit(2)), hashed);
        assertThatThrownBy(() -> change("tenant", edit -> edit.remove(ENTRY))).isInstanceOf(InvalidMapException.class);
        move(map.read().content().placements().slots(), next);
        change("tenant", edit -> edit.scatter(ENTRY));
        for (PartitionId owner : ALL) {
            move(slotsWithSharesOf(owner), owner);
        }
        change("tenant", edit -> edit.remove(ENTRY));
        awaitMap(newer);
        goesOn.set(false);

        for (Future<Long> caller : callers) {
            assertThat(caller.get(30, TimeUnit.SECONDS)).isPositive();
        }
        assertThat(group.partition()).isEqualTo(hashed);
        assertThat(group.counter("visits").get()).isEqualTo(visits(callers));
        assertThat(group.hash("carts", String.class, Long.class).get("one")).isEqualTo(1L);
        assertThat(held.isHeld()).isTrue();
        for (long i = 0; i < 2_000; i++) {
            assertThat(same.get("t" + i)).isEqualTo(i);
        }
        assertThat(map.read().slots().owned()).isEqualTo(SlotSet.parse("0-16383"));
    }

    private SlotSet slotsWithSharesOf(PartitionId owner) {
        var target = new PlacementEdit(map.read().content(), "tenant").target(ENTRY);
        SlotSet hashSlots = map.read().slots().slotsOf(owner).and(SlotSet.parse("0-16383"));
        int share = target.spread().shares().indexOf(hashSlots);
        return SlotSet.of(target.first() + share);
    }

    private static long visits(List<Future<Long>> callers) throws Exception {
        return callers.get(0).get() + callers.get(1).get();
    }

    /** What a call finds is what the one before has written: of one key that is placed, and of many that are not. */
    private long work(PartitionedCacheManager manager, Cache<String, Long> cache, String id, int seed) {
        Random random = new Random(seed);
        Map<String, Long> written = new TreeMap<>();
        CacheGroup group = manager.group(ACME);
        long count = 0;
        while (goesOn.get()) {
            String key = random.nextBoolean() ? id : "w" + seed + "-" + random.nextInt(50);
            long value = count;
            switch (random.nextInt(4)) {
                case 0 -> {
                    cache.put(key, value);
                    written.put(key, value);
                }
                case 1 -> assertThat(cache.getAll(Set.of(key, "t1")).get(key)).isEqualTo(written.get(key));
                default -> assertThat(cache.get(key)).isEqualTo(written.get(key));
            }
            if (random.nextBoolean()) {
                group.transactWithoutResult(work -> work.counter("visits").incrementAndGet());
            } else {
                long unused = group.counter("visits").incrementAndGet();
            }
            count++;
        }
        written.forEach((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
        return count;
    }

    /** Each entry that is there all the time is listed once, whatever moves. */
    private long walk(Cache<String, Long> cache) {
        long walks = 0;
        while (goesOn.get()) {
            Set<String> seen = new HashSet<>();
            for (Cache.Entry<String, Long> entry : cache) {
                assertThat(seen.add(entry.getKey())).as(entry.getKey()).isTrue();
            }
            assertThat(seen).contains("acme,always");
            for (int i = 0; i < 2_000; i++) {
                assertThat(seen).contains("t" + i);
            }
            walks++;
        }
        return walks;
    }

    /** A range is divided, one half moves with its entries, two clients follow, and they are joined again. */
    @Test
    void range_isDivided_andHalfOfItMoves() {
        Cache<Long, String> orders = numbers(newer);
        Cache<Long, String> same = numbers(manager("other", map::source));
        for (long id = 0; id < 300; id++) {
            orders.put(id, "order " + id);
        }
        PlacedEntry.Range whole = (PlacedEntry.Range) PlacedEntry.parse("0..200");
        change("order", edit -> edit.add(whole, RangeType.NUMBER));
        move(map.read().content().placements().slots(), P1);
        change("order", edit -> edit.widen(whole, 1));
        change("order", edit -> edit.split(whole, "100"));
        PlacedEntry second = PlacedEntry.parse("100..200");
        move(new PlacementEdit(map.read().content(), "order").target(second).slots(), P2);

        awaitMap(newer);
        for (long id = 0; id < 300; id++) {
            assertThat(same.get(id)).isEqualTo("order " + id);
            if (id < 200) {
                assertThat(((PartitionedCache<Long, String>) orders).explain(id).partition())
                        .isEqualTo(id < 100 ? P1 : P2);
            }
        }
        assertThat(keysAt(P2)).contains("order:100").doesNotContain("order:99");
        assertThatThrownBy(() -> change("order", edit -> edit.join((PlacedEntry.Range) PlacedEntry.parse("0..100"))))
                .hasMessageContaining("would get another owner");
        move(new PlacementEdit(map.read().content(), "order").target(second).slots(), P1);
        change("order", edit -> edit.join((PlacedEntry.Range) PlacedEntry.parse("0..100")));
        assertThat(map.read().content().placements().slots().size()).isEqualTo(1);
        awaitMap(newer);
        assertThat(orders.get(150L)).isEqualTo("order 150");
        assertThat(same.get(150L)).isEqualTo("order 150");
    }

    private static Cache<Long, String> numbers(PartitionedCacheManager manager) {
        return manager.createCache(
                "order",
                new PartitionedConfiguration<Long, String>()
                        .setTypes(Long.class, String.class)
                        .setMissingPartition(MissingPartitionPolicy.FAIL));
    }

    @Test
    void keyWithoutAPlace_isRefused_beforeAnythingIsSent() {
        Cache<String, Long> tenants = cache(newer, "tenant");
        tenants.put("acme", 1L);
        tenants.put("stray", 2L);
        change("tenant", edit -> edit.add(ENTRY, null));
        change("tenant", edit -> edit.otherwise(Placement.Otherwise.REFUSE));
        awaitMap(newer);
        List<String> before =
                ALL.stream().flatMap(id -> keysAt(id).stream()).sorted().toList();

        for (Runnable call : List.<Runnable>of(
                () -> tenants.get("stray"),
                () -> tenants.put("other", 1L),
                () -> tenants.getAll(Set.of("acme", "stray")),
                () -> newer.group(EntityKey.of("tenant", "other"))
                        .counter("visits")
                        .incrementAndGet())) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageContaining("every key of the root type tenant needs one")
                    .hasMessageContaining("slot map version " + map.read().version())
                    .hasMessageContaining("keyslot placement set tenant ID --to PARTITION");
        }

        assertThat(ALL.stream().flatMap(id -> keysAt(id).stream()).sorted().toList())
                .isEqualTo(before);
        assertThat(tenants.get("acme")).isEqualTo(1L);
        assertThat(tenants).extracting(Cache.Entry::getKey).containsExactly("acme");
        tenants.clear();
        assertThat(ALL.stream().flatMap(id -> keysAt(id).stream()).toList()).isEmpty();
    }

    /** One client names the hash slot of a key, and the other the slot of its entry: they mean the same value. */
    @Tag("thorough")
    @Test
    void clientsOfBothMaps_meanTheSame_untilSlotsMove_andThenFollow() {
        PartitionedCacheManager older = manager("older", map::lateSource);
        Cache<String, Long> tenants = cache(newer, "tenant");
        Cache<String, Long> same = cache(older, "tenant");
        change("tenant", edit -> edit.add(ENTRY, null));
        awaitMap(newer);
        assertThat(older.slotMap().version()).isEqualTo(1);

        for (long value = 0; value < 50; value++) {
            same.put("acme", value);
            assertThat(tenants.get("acme")).isEqualTo(value);
            tenants.put("acme", -value);
            assertThat(same.get("acme")).isEqualTo(-value);
        }
        assertThat(older.slotMap().version()).isEqualTo(1);

        PartitionId at = newer.group(ACME).partition();
        PartitionId to = ALL.get((ALL.indexOf(at) + 1) % 3);
        move(map.read().content().placements().slots(), to);
        same.put("acme", 7L);
        assertThat(tenants.get("acme")).isEqualTo(7L);
        assertThat(older.slotMap().version()).isGreaterThan(1);
        assertThat(keysAt(to)).contains("tenant:acme");
        assertThat(keysAt(at)).doesNotContain("tenant:acme");
    }
}

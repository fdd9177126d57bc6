// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.jcache.MapLoader;
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
import io.keyslot.client.routing.TopologySource;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.MapInMemory;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;

/**
 * Three servers, a map in this process, a client that works all the time with keys of the first server's slots, and a log of what
 * it has written.
 */
final class MovingServers implements AutoCloseable {
    static final List<PartitionId> ALL = List.of(new PartitionId("p1"), new PartitionId("p2"), new PartitionId("p3"));
    static final PartitionId FIRST = ALL.get(0);
    static final PartitionId SECOND = ALL.get(1);
    static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());
    static final String CACHE = "numbers";

    /** What is loaded where nothing is stored. */
    static final long LOADED = 7;

    private static final int KEYS = 40;
    private static final int ENTRIES_AT_REST = 300;
    private static final long BETWEEN_CALLS_NANOS = 300_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private final LocalServers servers = TestServers.none();
    private final List<LocalServer> all = servers.start(ALL.size());
    private final AtomicBoolean works = new AtomicBoolean();
    private final AtomicLong calls = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> failuresOfLoading = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> callers = new ArrayList<>();
    private final List<KeyslotCachingProvider> providers = new ArrayList<>();
    private final WriteLog log = new WriteLog();
    private final MapInMemory maps;
    private final List<String> keys;
    private final List<String> keysOfOthers;
    private final SlotSet slots;
    private final Cache<String, Long> cache;
    private final Cache<String, Long> loading;
    private final PartitionedCacheManager manager;
    private int moves;

    MovingServers() {
        SlotMap first = SlotMap.ofEqualShares(1, ALL);
        List<MappedPartition> partitions = ALL.stream()
                .map(id -> MappedPartition.active(id, PartitionUriParser.uri(uri(id)), 1))
                .toList();
        maps = new MapInMemory(
                new PartitionMap(
                        new MapStamp(Generation.CONFIGURED, 1),
                        MapCommit.CONFIGURED,
                        new MapContent(partitions, SlotTable.of(first), List.of())),
                threads);
        keys = keysOfFirst(first, "k", KEYS);
        keysOfOthers = keysOfFirst(first, "other", 5);
        slots = SlotSet.of(Stream.concat(keys.stream(), keysOfOthers.stream()).mapToInt(MovingServers::slotOf))
                .plus(SlotSet.of(IntStream.range(5_361, 5_461)));
        manager = manager("moves", maps::source);
        cache = manager.createCache(CACHE, strict());
        loading = manager.createCache(
                "loaded",
                new PartitionedConfiguration<String, Long>()
                        .setReadThrough(true)
                        .setCacheLoaderFactory(() -> MapLoader.answering(key -> LOADED)));
        for (int i = 0; i < ENTRIES_AT_REST; i++) {
            cache.put("rest" + i, (long) i);
        }
    }

    private static List<String> keysOfFirst(SlotMap map, String name, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name + i)
                .filter(key -> map.ownerOf(slotOf(key)).stream().anyMatch(FIRST::equals))
                .limit(count)
                .toList();
    }

    static PartitionedConfiguration<String, Long> strict() {
        return new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL);
    }

    /** Opens one more client in this process. */
    PartitionedCacheManager manager(String name, Function<ClientOptions, TopologySource> source) {
        KeyslotCachingProvider provider = new KeyslotCachingProvider(new ClientAssembly(source));
        providers.add(provider);
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", String.join(",", uris()));
        return provider.getCacheManager(URI.create(name), MovingServers.class.getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
    }

    static int slotOf(String key) {
        return EncodedKey.of(CACHE + ":" + key).slot();
    }

    String uri(PartitionId id) {
        return server(id).uri();
    }

    List<String> uris() {
        return all.stream().map(LocalServer::uri).toList();
    }

    LocalServer server(PartitionId id) {
        return all.get(ALL.indexOf(id));
    }

    MapInMemory maps() {
        return maps;
    }

    PartitionedCacheManager manager() {
        return manager;
    }

    WriteLog log() {
        return log;
    }

    List<String> keys() {
        return keys;
    }

    /** Returns keys that the client does not write, in the same slots. */
    List<String> keysOfOthers() {
        return keysOfOthers;
    }

    Cache<String, Long> cache() {
        return cache;
    }

    long calls() {
        return calls.get();
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    List<String> failuresOfLoading() {
        return List.copyOf(failuresOfLoading);
    }

    // ---- the client

    void work() {
        works.set(true);
        for (int writer = 0; writer < 2; writer++) {
            List<String> own = keys.subList(writer * KEYS / 2, (writer + 1) * KEYS / 2);
            callers.add(threads.submit(() -> repeat(own, this::write)));
        }
        callers.add(threads.submit(() -> repeat(keys, this::read)));
        callers.add(threads.submit(() -> repeat(keys, this::load)));
    }

    /** Returns when each key has been written once more. */
    void awaitWrites() {
        Map<String, Long> before = new HashMap<>();
        keys.forEach(key -> before.put(key, log.acknowledged(key)));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> keys.stream().allMatch(key -> log.acknowledged(key) > before.getOrDefault(key, 0L)));
    }

    private void repeat(List<String> some, Consumer<String> call) {
        for (int i = 0; works.get(); i++) {
            call.accept(some.get(i % some.size()));
            calls.incrementAndGet();
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
    }

    private void write(String key) {
        long value = log.begin(key);
        try {
            cache.put(key, value);
            log.acknowledge(key, value);
        } catch (RuntimeException e) {
            failures.add("put " + e);
        }
    }

    private void read(String key) {
        long floor = log.acknowledged(key);
        try {
            log.found(key, floor, cache.get(key));
        } catch (RuntimeException e) {
            failures.add("get " + e);
        }
    }

    private void load(String key) {
        try {
            Long found = loading.get(key);
            if (found == null || found != LOADED) {
                failuresOfLoading.add(key + " is " + found);
            }
        } catch (RuntimeException e) {
            failuresOfLoading.add(e.toString());
        }
    }

    /** Ends the work, and looks at everything once more. */
    void rest() throws Exception {
        works.set(false);
        for (Future<?> caller : callers) {
            caller.get(30, TimeUnit.SECONDS);
        }
        callers.clear();
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptionsInstanceOf(KeyslotException.class) // until a server that was away is connected again
                .until(() -> cache.getAll(Set.copyOf(keys)) != null);
        for (String key : keys) {
            log.found(key, log.acknowledged(key), cache.get(key));
        }
        assertThat(log.violations()).isEmpty();
        assertThat(failuresOfLoading).isEmpty();
    }

    /** Nothing was lost: entries that nobody has touched are what they were. */
    void assertRestIsThere() {
        for (int i = 0; i < ENTRIES_AT_REST; i++) {
            assertThat(cache.get("rest" + i)).isEqualTo((long) i);
        }
    }

    // ---- moves

    /** An operator wants the slots elsewhere; returns the name of the move. */
    String begin(PartitionId from, PartitionId to) {
        return begin(from, to, slots);
    }

    String begin(PartitionId from, PartitionId to, SlotSet some) {
        moves++;
        String id = "m-" + moves;
        maps.change(content -> content.begin(Move.begun(id, from, to, some, "operator")));
        return id;
    }

    /** Plays a move in this process, with somebody who hears of each step before it is done. */
    Migration run(String move, String coordinator, Consumer<String> steps) {
        StepWatch watch = new StepWatch(steps);
        return new Migration(move, coordinator, watch.watch(maps), watch.watch(this::connector), TIME);
    }

    PartitionConnector connector(PartitionId id) {
        return connector(resources, uris(), id, maps.read());
    }

    static PartitionConnector connector(
            RedisResources resources, List<String> addresses, PartitionId id, PartitionMap map) {
        return MapInMemory.connector(resources, addresses.get(ALL.indexOf(id)), id, map);
    }

    PartitionId owner() {
        return maps.read().ownerOf(slotOf(keys.get(0))).orElseThrow();
    }

    /**
     * Nothing of the slots is where they are not, and no fence is anywhere. The number of the last coordinator of a move stays
     * until the next move.
     */
    void assertNothingIsLeft() {
        assertThat(maps.read().moves()).isEmpty();
        for (PartitionId id : ALL) {
            RedisClient client = RedisClient.create(uri(id));
            try (StatefulRedisConnection<String, String> plain = client.connect()) {
                List<String> keys = plain.sync().keys("*");
                assertThat(plain.sync().hkeys("keyslot:fence:"))
                        .as("fences at %s", id)
                        .allMatch(field -> field.startsWith("coordinator"));
                assertThat(keys.stream().filter(key -> key.startsWith("keyslot:dirty")))
                        .as("notes at %s", id)
                        .isEmpty();
                assertThat(keys.stream().filter(key -> isMoved(key) && !id.equals(owner())))
                        .as("entries at %s", id)
                        .isEmpty();
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }

    /** As an operator's mistake does: the server goes on, and has nothing. */
    static void forgetEverything(LocalServer server) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> plain = client.connect()) {
            assertThat(plain.sync().flushall()).isEqualTo("OK");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private boolean isMoved(String key) {
        return !key.startsWith("keyslot:") && slots.contains(EncodedKey.of(key).slot());
    }

    @Override
    public void close() {
        works.set(false);
        providers.forEach(KeyslotCachingProvider::close);
        threads.shutdownNow();
        resources.close();
        servers.close();
    }
}

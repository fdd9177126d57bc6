// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What listeners hear of other processes, of expiry and of eviction, on real servers. */
@SideBySide
class RemoteEventsIT {
    private static final int KEYS = 50;
    private static final int ROUNDS = 20;

    /** More than may wait for a listener: 10,000 events, and 10,000 keys. */
    private static final int FLOOD = 30_000;

    private static final int FLOOD_BATCH = 1_000;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static TestServers servers;
    private static RedisClient lettuce;
    private static List<RedisCommands<String, String>> plain;

    private CacheManager here;
    private CacheManager there;
    private String name;

    @BeforeAll
    static void start() {
        servers = TestServers.start(2);
        lettuce = RedisClient.create();
        plain = servers.uris().stream()
                .map(uri ->
                        lettuce.connect(io.lettuce.core.RedisURI.create(uri)).sync())
                .toList();
    }

    @AfterAll
    static void close() throws Exception {
        lettuce.shutdown();
        servers.close();
    }

    @BeforeEach
    void open() {
        int number = NAMES.incrementAndGet();
        name = "prices" + number;
        here = KeyslotManagers.openPatiently("here" + number, servers.uris());
        there = KeyslotManagers.openPatiently("there" + number, servers.uris());
    }

    @AfterEach
    void closeManagers() {
        here.close();
        there.close();
    }

    private static Cache<String, String> cacheOf(CacheManager manager, String name, EventScope events) {
        return manager.createCache(
                name,
                new PartitionedConfiguration<String, String>().setEvents(events).setTypes(String.class, String.class));
    }

    private Cache<String, String> invalidation(CacheEntryListener<String, String> listener) {
        Cache<String, String> cache = cacheOf(here, name, EventScope.KEYS);
        register(cache, listener, null);
        return cache;
    }

    private static void register(
            Cache<String, String> cache,
            CacheEntryListener<String, String> listener,
            @Nullable CacheEntryEventFilter<String, String> filter) {
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(
                () -> listener, filter == null ? null : () -> filter, false, false));
    }

    private Cache<String, String> others() {
        return cacheOf(there, name, EventScope.LOCAL);
    }

    /** What was heard, by key, with null for nothing. */
    private static class Ear
            implements CacheEntryCreatedListener<String, String>,
                    CacheEntryUpdatedListener<String, String>,
                    CacheEntryRemovedListener<String, String>,
                    EventGapListener {
        final Map<String, List<String>> heard = new ConcurrentHashMap<>();
        final ConcurrentLinkedQueue<EventType> types = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<EventGap> gaps = new ConcurrentLinkedQueue<>();

        List<String> of(String key) {
            return heard.getOrDefault(key, List.of());
        }

        @Nullable
        String last(String key) {
            List<String> all = of(key);
            return all.isEmpty() ? null : all.get(all.size() - 1);
        }

        private void hear(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> {
                types.add(event.getEventType());
                heard.computeIfAbsent(event.getKey(), first -> new CopyOnWriteArrayList<>())
                        .add(Objects.requireNonNullElse(event.getValue(), "nothing"));
            });
        }

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            hear(events);
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            hear(events);
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            hear(events);
        }

        @Override
        public void onGap(EventGap gap) {
            gaps.add(gap);
        }
    }

    @Test
    void changesOfAnotherJvm_areHeardInTheirOrderForEachKey() throws Exception {
        Ear ear = new Ear();
        invalidation(ear);
        try (OtherJvm other = OtherJvm.start(
                Writing.class,
                java.util.stream.Stream.concat(java.util.stream.Stream.of(name), servers.uris().stream())
                        .toArray(String[]::new))) {
            other.awaitLine("done");
            IntStream.range(0, KEYS).forEach(key -> await().until(() -> "nothing".equals(ear.last("k" + key))));
            other.awaitSuccess();
        }

        assertThat(ear.gaps).isEmpty();
        for (int key = 0; key < KEYS; key++) {
            List<String> heard = ear.of("k" + key);
            List<Integer> numbers = heard.stream()
                    .filter(value -> !value.equals("nothing"))
                    .map(Integer::valueOf)
                    .toList();
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
            assertThat(heard.stream().filter("nothing"::equals)).hasSize(1);
        }
        assertThat(ear.types).containsOnly(EventType.UPDATED, EventType.REMOVED);
    }

    /** What the other process does. */
    static final class Writing {
        private Writing() {}

        public static void main(String[] arguments) {
            List<String> addresses = List.of(arguments).subList(1, arguments.length);
            try (CacheManager manager = KeyslotManagers.openPatiently("writing", addresses)) {
                Cache<String, String> cache = cacheOf(manager, arguments[0], EventScope.LOCAL);
                for (int round = 0; round < ROUNDS; round++) {
                    for (int key = 0; key < KEYS; key++) {
                        cache.put("k" + key, Integer.toString(round));
                    }
                }
                cache.removeAll(
                        IntStream.range(0, KEYS).mapToObj(key -> "k" + key).collect(Collectors.toSet()));
                System.out.println("done");
            }
        }
    }

    @Test
    void changesOfThisProcess_areToldOnce() {
        Ear ear = new Ear();
        Cache<String, String> cache = invalidation(ear);
        Cache<String, String> others = others();

        cache.put("own", "a");
        cache.put("own", "b");
        cache.remove("own");
        cache.put("own", "c");
        cache.put("cleared", "x");
        cache.clear();
        others.put("own", "end"); // heard behind whatever echo there is of this key
        others.put("cleared", "end");

        await().until(() -> "end".equals(ear.last("own")) && "end".equals(ear.last("cleared")));
        assertThat(ear.of("own")).containsExactly("a", "b", "nothing", "c", "end");
        assertThat(ear.of("cleared")).containsExactly("x", "end");
    }

    /** Ways to change an entry whose value is "old", by the value afterwards. */
    private static Map<String, BiConsumer<PartitionedCache<String, String>, String>> changes(
            boolean isGrouped, boolean isRemoval) {
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> ways = new LinkedHashMap<>();
        if (isRemoval) {
            ways.put("remove", (cache, key) -> cache.remove(key));
            ways.put("remove if", (cache, key) -> cache.remove(key, "old"));
            ways.put("getAndRemove", (cache, key) -> cache.getAndRemove(key));
            ways.put("removeAll", (cache, key) -> cache.removeAll(Set.of(key)));
            ways.put(
                    "removal by invoke",
                    (cache, key) -> cache.invoke(key, (entry, none) -> {
                        entry.remove();
                        return null;
                    }));
        } else {
            ways.put("put", (cache, key) -> cache.put(key, "new"));
            ways.put("put for a while", (cache, key) -> cache.put(key, "new", Duration.ofHours(1)));
            ways.put("putAll", (cache, key) -> cache.putAll(Map.of(key, "new")));
            ways.put("getAndPut", (cache, key) -> cache.getAndPut(key, "new"));
            ways.put("replace", (cache, key) -> cache.replace(key, "new"));
            ways.put("replace if", (cache, key) -> cache.replace(key, "old", "new"));
            ways.put(
                    "invokeAll",
                    (cache, key) -> cache.invokeAll(Set.of(key), (entry, none) -> {
                        entry.setValue("new");
                        return null;
                    }));
        }
        if (isGrouped && isRemoval) {
            ways.put("removal of the group", (cache, key) -> cache.group(key).removeAll());
        } else if (isGrouped) {
            ways.put(
                    "transaction",
                    (cache, key) -> cache.group(key)
                            .transactWithoutResult(group -> group.entries(cache).put(key, "new")));
        }
        return ways;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("unchecked")
    void everyKindOfChange_ofAClientWithoutListeners_isToldOnce(boolean isGrouped) {
        PartitionedConfiguration<String, String> configuration =
                new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
        if (isGrouped) {
            configuration.setGroupedBy("customer");
        }
        Ear ear = new Ear();
        PartitionedCache<String, String> others =
                there.createCache(name, configuration).unwrap(PartitionedCache.class);
        register(here.createCache(name, configuration.setEvents(EventScope.KEYS)), ear, null);

        Map<String, BiConsumer<PartitionedCache<String, String>, String>> stores = changes(isGrouped, false);
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> removals = changes(isGrouped, true);
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> all = new LinkedHashMap<>(stores);
        all.putAll(removals);

        all.keySet().forEach(key -> others.put(key, "old"));
        awaitLast(ear, all.keySet(), "old");
        all.forEach((key, change) -> change.accept(others, key));
        awaitLast(ear, stores.keySet(), "new");
        awaitLast(ear, removals.keySet(), "nothing");
        all.keySet().forEach(key -> others.put(key, "end")); // heard behind whatever else is told of this key
        awaitLast(ear, all.keySet(), "end");

        assertThat(all.keySet())
                .allSatisfy(key -> assertThat(ear.of(key))
                        .as(key)
                        .containsExactly("old", removals.containsKey(key) ? "nothing" : "new", "end"));
        assertThat(ear.gaps).isEmpty();
    }

    private static void awaitLast(Ear ear, Set<String> keys, String value) {
        await().until(() -> keys.stream().allMatch(key -> value.equals(ear.last(key))));
    }

    /** Waits during its first event until it may go on. */
    private static final class SlowEar extends Ear {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            super.onCreated(events);
            begun.countDown();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            onCreated(events);
        }
    }

    @Test
    void slowListener_isToldWhatMayWait_andAGapForTheRest() throws Exception {
        SlowEar ear = new SlowEar();
        invalidation(ear);
        Cache<String, String> others = others();

        others.put("first", "1");
        assertThat(ear.begun.await(10, TimeUnit.SECONDS)).isTrue();
        for (int from = 0; from < FLOOD; from += FLOOD_BATCH) {
            others.putAll(IntStream.range(from, from + FLOOD_BATCH)
                    .boxed()
                    .collect(Collectors.toMap(number -> "k" + number, Object::toString)));
        }
        ear.goOn.countDown();

        await().atMost(20, TimeUnit.SECONDS).until(() -> !ear.gaps.isEmpty());
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            others.put("last", "1");
            return ear.heard.containsKey("last");
        });
        assertThat(ear.gaps).allMatch(gap -> gap.reason() == EventGap.Reason.OVERFLOW);
        ear.heard.remove("last"); // which was written several times
        assertThat(ear.heard.values()).allMatch(values -> values.size() == 1);
        assertThat(ear.heard).hasSizeBetween(10_000, FLOOD - FLOOD_BATCH);
    }

    @Test
    void largeValue_isHeardOnce() {
        Ear ear = new Ear();
        invalidation(ear);
        Cache<String, String> others = others();
        String large = "l".repeat(3 << 20);

        others.put("large", large);
        others.put("end", "end");

        await().until(() -> large.equals(ear.last("large")) && "end".equals(ear.last("end")));
        assertThat(ear.of("large")).hasSize(1);
        assertThat(ear.heard.keySet()).containsExactlyInAnyOrder("large", "end");
    }

    @Test
    void expiry_isHeardAsARemoval_orAsAnExpiryByWhoHearsOfNothingElse() {
        Ear ear = new Ear();
        List<String> expired = new CopyOnWriteArrayList<>();
        Cache<String, String> cache = invalidation(ear);
        register(
                cache,
                (CacheEntryExpiredListener<String, String>)
                        events -> events.forEach(event -> expired.add(event.getKey())),
                null);

        PartitionedCache<String, String> timed = (PartitionedCache<String, String>) others();

        timed.put("short", "lived", Duration.ofMillis(300));

        await().until(() -> "nothing".equals(ear.last("short")) && !expired.isEmpty());
        assertThat(ear.of("short")).containsExactly("lived", "nothing");
        assertThat(expired).containsExactly("short");
    }

    @Test
    void filter_isAskedBeforeTheListener() {
        Ear ear = new Ear();
        Cache<String, String> cache = cacheOf(here, name, EventScope.KEYS);
        register(cache, ear, event -> event.getKey().startsWith("wanted"));
        Cache<String, String> others = others();

        others.put("other", "1");
        others.put("wanted", "2");

        await().until(() -> "2".equals(ear.last("wanted")));
        assertThat(ear.heard.keySet()).containsExactly("wanted");
    }

    @Test
    void creationsAlone_areToldAsSuch() {
        List<String> created = new CopyOnWriteArrayList<>();
        invalidation((CacheEntryCreatedListener<String, String>)
                events -> events.forEach(event -> created.add(event.getEventType() + " " + event.getKey())));

        others().put("new", "1");

        await().until(() -> !created.isEmpty());
        assertThat(created).containsExactly("CREATED new");
    }

    @Test
    void connectionThatIsKilled_isAGap_andWhatComesAfterItIsHeard() {
        Ear ear = new Ear();
        invalidation(ear);
        Cache<String, String> others = others();

        plain.forEach(server -> server.clientKill(KillArgs.Builder.typeNormal().skipme(true)));

        await().until(() -> ear.gaps.stream().anyMatch(gap -> gap.reason() == EventGap.Reason.CONNECTION));
        await().ignoreExceptions().until(() -> {
            others.put("after", "1");
            return true;
        });
        await().until(() -> "1".equals(ear.last("after")));
        assertThat(ear.gaps).allMatch(gap -> gap.reason() == EventGap.Reason.CONNECTION);
    }

    @Test
    void serverThatIsEmptied_isAGap() {
        Ear ear = new Ear();
        invalidation(ear);

        plain.get(0).flushall();

        await().until(() -> ear.gaps.stream().anyMatch(gap -> gap.reason() == EventGap.Reason.INVALIDATED));
    }

    @Test
    void secondCache_isHeardToo_withoutAGapForTheFirst() {
        Ear first = new Ear();
        Ear second = new Ear();
        invalidation(first);
        register(cacheOf(here, name + "-second", EventScope.KEYS), second, null);

        others().put("key", "1");
        cacheOf(there, name + "-second", EventScope.LOCAL).put("key", "2");

        await().until(() -> "1".equals(first.last("key")) && "2".equals(second.last("key")));
        assertThat(first.gaps).isEmpty();
        assertThat(second.gaps).isEmpty();
    }

    @Test
    void oldValues_areRefused() {
        Cache<String, String> cache = cacheOf(here, name, EventScope.KEYS);
        Ear ear = new Ear();

        assertThatThrownBy(() -> cache.registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> ear, null, true, false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requires old values");
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(() -> ear, null, true, true));
    }

    /** A listener that is synchronous hears of this process only, and asks nobody to tell more. */
    @Test
    void listenersThatAreSynchronous_costNoConnection() {
        Cache<String, String> cache = cacheOf(here, name, EventScope.KEYS);
        Ear ear = new Ear();

        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, true));
        int silent = subscriptions();
        MutableCacheEntryListenerConfiguration<String, String> asynchronous =
                new MutableCacheEntryListenerConfiguration<>(
                        FactoryBuilder.factoryOf(new Nothing()), null, false, false);
        cache.registerCacheEntryListener(asynchronous);
        int invalidation = subscriptions();
        cache.deregisterCacheEntryListener(asynchronous);

        assertThat(invalidation).isEqualTo(silent + servers.uris().size());
        await().until(() -> subscriptions() == silent);
    }

    /** Hears nothing. */
    static final class Nothing implements CacheEntryUpdatedListener<String, String>, java.io.Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {}
    }

    /** Returns how many connections are told by prefixes. */
    private static int subscriptions() {
        return plain.stream()
                .mapToInt(server -> (int) server.clientList()
                        .lines()
                        .filter(line -> line.matches(".* flags=[A-Za-z]*B.*"))
                        .count())
                .sum();
    }

    @Test
    void eviction_isHeard() throws Exception {
        // Not allkeys: the server's record of its life might go, and that is another life, and a gap.
        try (TestServers small = TestServers.start(1, "--maxmemory", "8mb", "--maxmemory-policy", "volatile-random");
                CacheManager listening = KeyslotManagers.openPatiently("small-here", small.uris());
                CacheManager writing = KeyslotManagers.openPatiently("small-there", small.uris())) {
            Ear ear = new Ear();
            register(cacheOf(listening, "evicted", EventScope.KEYS), ear, null);
            PartitionedCache<String, String> others =
                    (PartitionedCache<String, String>) cacheOf(writing, "evicted", EventScope.LOCAL);
            String value = "v".repeat(100_000);
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                others.put("k" + i, value, Duration.ofHours(1));
                keys.add("k" + i);
            }

            await().atMost(20, TimeUnit.SECONDS).until(() -> {
                Set<String> gone =
                        keys.stream().filter(key -> others.get(key) == null).collect(Collectors.toSet());
                return !gone.isEmpty() && gone.stream().allMatch(key -> "nothing".equals(ear.last(key)));
            });
            assertThat(ear.gaps).isEmpty();
        }
    }
}

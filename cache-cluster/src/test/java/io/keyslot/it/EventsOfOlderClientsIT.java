// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that knows nothing of events, as one of an older version, changes entries in every way that there is, and as fast as
 * it can: who writes needs to know nothing for others to be told.
 */
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class EventsOfOlderClientsIT {
    private static final String NOTHING = "nothing";

    /** More than may wait for a listener: 10,000 events, and 10,000 keys. */
    private static final int FLOOD = 30_000;

    private static final int AT_ONCE = 1_000;

    private static TestServers servers;

    private CacheManager invalidation;
    private CacheManager writing;

    @BeforeAll
    static void start() {
        servers = TestServers.start(2);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
    }

    @BeforeEach
    void open() {
        invalidation = KeyslotManagers.openPatiently("hearing", servers.uris());
        writing = KeyslotManagers.openPatiently("older", servers.uris());
    }

    @AfterEach
    void close() {
        invalidation.close();
        writing.close();
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    /** What was heard of each key, in its order. */
    private static class Ear
            implements CacheEntryCreatedListener<String, String>,
                    CacheEntryUpdatedListener<String, String>,
                    CacheEntryRemovedListener<String, String>,
                    EventGapListener {
        final Map<String, List<String>> heard = new ConcurrentHashMap<>();
        final List<EventGap.Reason> gaps = new CopyOnWriteArrayList<>();

        List<String> of(String key) {
            return heard.getOrDefault(key, List.of());
        }

        void hear(String key, String value) {
            heard.computeIfAbsent(key, first -> new CopyOnWriteArrayList<>()).add(value);
        }

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> hear(event.getKey(), Objects.requireNonNullElse(event.getValue(), NOTHING)));
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            onCreated(events);
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> hear(event.getKey(), NOTHING));
        }

        @Override
        public void onGap(EventGap gap) {
            gaps.add(gap.reason());
        }
    }

    private void listen(PartitionedConfiguration<String, String> configuration, String name, Ear ear) {
        invalidation
                .createCache(name, configuration.setEvents(EventScope.KEYS))
                .registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));
    }

    @SuppressWarnings("unchecked")
    private PartitionedCache<String, String> older(
            PartitionedConfiguration<String, String> configuration, String name) {
        return writing.createCache(name, configuration).unwrap(PartitionedCache.class);
    }

    /** Ways to store "new" where "old" is; each is done with a key of its own. */
    private static Map<String, BiConsumer<PartitionedCache<String, String>, String>> stores(boolean isGrouped) {
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> ways = new LinkedHashMap<>();
        ways.put("put", (cache, key) -> cache.put(key, "new"));
        ways.put("put for a while", (cache, key) -> cache.put(key, "new", Duration.ofHours(1)));
        ways.put("putAll", (cache, key) -> cache.putAll(Map.of(key, "new", key + " too", "new")));
        ways.put("getAndPut", (cache, key) -> cache.getAndPut(key, "new"));
        ways.put("replace", (cache, key) -> cache.replace(key, "new"));
        ways.put("replace if", (cache, key) -> cache.replace(key, "old", "new"));
        ways.put(
                "invoke",
                (cache, key) -> cache.invoke(key, (entry, none) -> {
                    entry.setValue("new");
                    return null;
                }));
        ways.put(
                "invokeAll",
                (cache, key) -> cache.invokeAll(Set.of(key, key + " too"), (entry, none) -> {
                    entry.setValue("new");
                    return null;
                }));
        if (isGrouped) {
            ways.put(
                    "transaction",
                    (cache, key) -> cache.group(key)
                            .transactWithoutResult(group -> group.entries(cache).put(key, "new")));
        }
        return ways;
    }

    private static Map<String, BiConsumer<PartitionedCache<String, String>, String>> removals(boolean isGrouped) {
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> ways = new LinkedHashMap<>();
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
        if (isGrouped) {
            ways.put("removal of the group", (cache, key) -> cache.group(key).removeAll());
            ways.put(
                    "removal by a transaction",
                    (cache, key) -> cache.group(key)
                            .transactWithoutResult(group -> group.entries(cache).remove(key)));
        }
        return ways;
    }

    private static void awaitHeard(Ear ear, Set<String> keys, String value) {
        await().until(() -> keys.stream().allMatch(key -> ear.of(key).contains(value)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whateverAnOlderClientDoes_isToldOnce(boolean isGrouped) {
        String name = isGrouped ? "grouped" : "plain";
        PartitionedConfiguration<String, String> configuration = configuration();
        if (isGrouped) {
            configuration.setGroupedBy("customer");
        }
        Ear ear = new Ear();
        listen(new PartitionedConfiguration<>(configuration), name, ear);
        PartitionedCache<String, String> older = older(configuration, name);
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> stores = stores(isGrouped);
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> removals = removals(isGrouped);
        Map<String, BiConsumer<PartitionedCache<String, String>, String>> all = new LinkedHashMap<>(stores);
        all.putAll(removals);

        all.keySet().forEach(key -> older.put(key, "old"));
        awaitHeard(ear, all.keySet(), "old");
        all.forEach((key, change) -> change.accept(older, key));
        awaitHeard(ear, stores.keySet(), "new");
        awaitHeard(ear, removals.keySet(), NOTHING);
        all.keySet().forEach(key -> older.put(key, "end")); // heard behind whatever else is told of this key
        awaitHeard(ear, all.keySet(), "end");

        assertThat(stores.keySet())
                .allSatisfy(key -> assertThat(ear.of(key)).as(key).containsExactly("old", "new", "end"));
        assertThat(removals.keySet())
                .allSatisfy(key -> assertThat(ear.of(key)).as(key).containsExactly("old", NOTHING, "end"));
        assertThat(ear.of("putAll too")).containsExactly("new");
        assertThat(ear.of("invokeAll too")).containsExactly("new");
        assertThat(ear.gaps).isEmpty();
    }

    /** Hears the first, and no more before it is let go on. */
    private static final class SlowSubscriber extends Ear {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        void hear(String key, String value) {
            super.hear(key, value);
            begun.countDown();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void slowListener_isToldWhatMayWait_andAGapForTheRest() throws Exception {
        SlowSubscriber ear = new SlowSubscriber();
        listen(configuration(), "flood", ear);
        PartitionedCache<String, String> older = older(configuration(), "flood");

        older.put("first", "1");
        assertThat(ear.begun.await(10, TimeUnit.SECONDS)).isTrue();
        for (int from = 0; from < FLOOD; from += AT_ONCE) {
            older.putAll(IntStream.range(from, from + AT_ONCE)
                    .boxed()
                    .collect(Collectors.toMap(number -> "k" + number, Object::toString)));
        }
        ear.goOn.countDown();

        await().atMost(20, TimeUnit.SECONDS).until(() -> !ear.gaps.isEmpty());
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            older.put("last", "1");
            return ear.heard.containsKey("last");
        });
        assertThat(ear.gaps).containsOnly(EventGap.Reason.OVERFLOW);
        ear.heard.remove("last"); // which was written several times
        assertThat(ear.heard.values()).allMatch(values -> values.size() == 1);
        assertThat(ear.heard).hasSizeBetween(10_000, FLOOD - AT_ONCE);
    }
}

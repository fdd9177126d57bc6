// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Listeners of a cache with {@code events: feed} receive the changes of eight writers of two managers, whatever happens. */
@SideBySide
class RemoteEventsIT {
    private static final Duration QUIET = Duration.ofSeconds(60);

    @AutoClose
    private final FeedServers servers = new FeedServers();

    private final Writers writers = new Writers();
    private final PartitionedCache<EntityKey, String> here = listening(FeedServers.FEED);
    private final PartitionedCache<EntityKey, String> there = servers.orders(FeedServers.FEED);

    private PartitionedCache<EntityKey, String> listening(FeedOptions feed) {
        return servers.manager(Map.of())
                .createCache("order", FeedServers.configuration(feed).setEvents(EventScope.FEED));
    }

    /**
     * Keeps a map by events, and reads it anew after a gap. Values are {@code writer:number}; those of a writer must come in
     * order for each key.
     */
    private static class Ear
            implements CacheEntryUpdatedListener<EntityKey, String>,
                    CacheEntryRemovedListener<EntityKey, String>,
                    EventGapListener {
        private final PartitionedCache<EntityKey, String> cache;
        final Map<EntityKey, String> map = new ConcurrentHashMap<>();
        final Map<EntityKey, List<String>> heard = new ConcurrentHashMap<>();
        final Queue<String> gaps = new ConcurrentLinkedQueue<>();
        final Queue<String> problems = new ConcurrentLinkedQueue<>();
        private final Map<String, Integer> last = new HashMap<>();

        Ear(PartitionedCache<EntityKey, String> cache) {
            this.cache = cache;
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends EntityKey, ? extends String>> events) {
            events.forEach(event -> {
                String value = event.getValue();
                map.put(event.getKey(), value);
                heard.merge(event.getKey(), List.of(value), Ear::joined);
                String[] words = value.split(":", -1);
                if (words.length == 2) {
                    Integer before = last.put(event.getKey() + " by " + words[0], Integer.parseInt(words[1]));
                    if (before != null && before > Integer.parseInt(words[1])) {
                        problems.add("%s after %s of %s".formatted(value, before, event.getKey()));
                    }
                }
            });
        }

        private static List<String> joined(List<String> some, List<String> more) {
            return java.util.stream.Stream.concat(some.stream(), more.stream()).toList();
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends EntityKey, ? extends String>> events) {
            events.forEach(event -> map.remove(event.getKey()));
        }

        @Override
        public void onGap(EventGap gap) {
            last.clear();
            map.clear();
            cache.forEach(entry -> map.put(entry.getKey(), entry.getValue())); // a read would load
            gaps.add(gap.partition());
        }
    }

    private static CacheEntryListenerConfiguration<EntityKey, String> asynchronous(
            CacheEntryListener<EntityKey, String> listener) {
        return new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, false);
    }

    private Ear listen(PartitionedCache<EntityKey, String> cache) {
        Ear ear = new Ear(cache);
        cache.registerCacheEntryListener(asynchronous(ear));
        return ear;
    }

    private void write() {
        for (int i = 0; i < 4; i++) {
            writers.start(servers.threads(), "a" + i, here);
            writers.start(servers.threads(), "b" + i, there);
        }
    }

    private void awaitCalls(long count) {
        long wanted = writers.calls.get() + count;
        await().atMost(QUIET).until(() -> writers.calls.get() >= wanted);
    }

    private void assertFollowed(Ear ear) throws Exception {
        writers.stop();
        Map<EntityKey, String> stored = new HashMap<>();
        there.forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
        await().atMost(QUIET).untilAsserted(() -> assertThat(ear.map).isEqualTo(stored));
        assertThat(ear.problems).isEmpty();
        assertThat(writers.calls).hasValueGreaterThan(500);
    }

    @Test
    void allKindsOfWrites_areReceivedInOrder_withoutAGap() throws Exception {
        Ear ear = listen(here);
        Ear second = listen(listening(FeedServers.FEED));
        write();
        awaitCalls(3_000);

        assertFollowed(ear);
        assertFollowed(second);
        assertThat(ear.gaps).isEmpty();
        assertThat(second.gaps).isEmpty();
    }

    /** Nothing is written between the registration, or the last change that was read, and the loss. */
    @Test
    void streamsThatAreLost_areGaps_evenIfNobodyWrites() {
        Ear ear = listen(here);
        for (int round = 1; round <= 2; round++) {
            int gaps = round * 3;
            for (PartitionId id : FeedServers.ALL.subList(0, 3)) {
                servers.plain(
                        id, plain -> plain.unlink(plain.keys("keyslot:feed:*").get(0)));
            }
            await().atMost(QUIET).until(() -> ear.gaps.size() == gaps);
            there.put(FeedServers.key(1, round), "x");
            await().atMost(QUIET).until(() -> ear.map.size() == 1);
            there.remove(FeedServers.key(1, round));
            await().atMost(QUIET).until(ear.map::isEmpty);
        }
        assertThat(ear.gaps).hasSize(6);
    }

    @Test
    void changesThatAreTrimmedBeforeASlowListenerReceivesThem_areAGap() throws Exception {
        FeedOptions small = FeedServers.FEED.withAtMost(100);
        PartitionedCache<EntityKey, String> cache = listening(small);
        CountDownLatch goesOn = new CountDownLatch(1);
        Ear ear = new Ear(cache) {
            @Override
            public void onUpdated(Iterable<CacheEntryEvent<? extends EntityKey, ? extends String>> events) {
                awaitUninterrupted(goesOn);
                super.onUpdated(events);
            }
        };
        cache.registerCacheEntryListener(asynchronous(ear));
        PartitionedCache<EntityKey, String> others = servers.orders(small);
        writers.start(servers.threads(), "s", others);
        awaitCalls(3_000);
        goesOn.countDown();

        assertFollowed(ear);
        assertThat(ear.gaps).contains("p1", "p2", "p3");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Neither a listener that fails, nor another cache's that is slow, keeps anything from a listener. */
    @Test
    void listenersThatFailOrAreSlow_keepNothingFromOthers() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        PartitionedCache<EntityKey, String> slow = servers.manager(Map.of())
                .createCache(
                        "order", FeedServers.configuration(FeedServers.FEED).setEvents(EventScope.FEED));
        slow.registerCacheEntryListener(
                asynchronous((CacheEntryUpdatedListener<EntityKey, String>) events -> awaitUninterrupted(goesOn)));
        here.registerCacheEntryListener(asynchronous((CacheEntryUpdatedListener<EntityKey, String>) events -> {
            throw new IllegalStateException("of the listener");
        }));
        here.registerCacheEntryListener(asynchronous((CacheEntryUpdatedListener<EntityKey, String>) events -> {
            throw new AssertionError("of the listener");
        }));
        Ear ear = listen(here);
        EntityKey key = FeedServers.key(1, 1);
        List<String> values = IntStream.range(0, 100).mapToObj(i -> "a:" + i).toList();
        values.forEach(value -> there.put(key, value));

        await().atMost(QUIET).until(() -> ear.heard.getOrDefault(key, List.of()).size() == values.size());
        assertThat(ear.heard.get(key)).isEqualTo(values);
        goesOn.countDown();
    }

    @Test
    void kindsOfEvents_filters_andSynchronousListeners() {
        Queue<String> created = new ConcurrentLinkedQueue<>();
        Queue<String> filtered = new ConcurrentLinkedQueue<>();
        Queue<String> local = new ConcurrentLinkedQueue<>();
        here.registerCacheEntryListener(asynchronous((CacheEntryCreatedListener<EntityKey, String>)
                events -> events.forEach(event -> created.add(event.getEventType() + " " + event.getValue()))));
        CacheEntryUpdatedListener<EntityKey, String> updates =
                events -> events.forEach(event -> filtered.add(event.getEventType() + " " + event.getValue()));
        CacheEntryEventFilter<EntityKey, String> wanted =
                event -> !event.isOldValueAvailable() && "2".equals(event.getValue());
        here.registerCacheEntryListener(
                new MutableCacheEntryListenerConfiguration<>(() -> updates, () -> wanted, false, false));
        CacheEntryCreatedListener<EntityKey, String> synchronous =
                events -> events.forEach(event -> local.add(event.getEventType() + " " + event.getValue()));
        here.registerCacheEntryListener(
                new MutableCacheEntryListenerConfiguration<>(() -> synchronous, null, false, true));
        EntityKey key = FeedServers.key(1, 1);

        there.put(key, "1");
        there.put(key, "2");
        there.remove(key);
        here.put(key, "3");

        assertThat(local).containsExactly("CREATED 3");
        await().atMost(QUIET).until(() -> created.size() == 3);
        assertThat(created).containsExactly("CREATED 1", "CREATED 2", "CREATED 3");
        assertThat(filtered).containsExactly("UPDATED 2");
    }

    /** Reading ends with the last asynchronous listener, and leaves neither groups nor their members at the servers. */
    @Test
    void reading_endsWithTheLastListener_andLeavesNothing() {
        Ear ear = new Ear(here);
        CacheEntryListenerConfiguration<EntityKey, String> registered = asynchronous(ear);
        here.registerCacheEntryListener(registered);
        there.put(FeedServers.key(1, 1), "1");
        await().atMost(QUIET).until(() -> ear.map.size() == 1);
        PartitionId id = FeedServers.ALL.get(0);
        long before = trims(id);
        await().atMost(QUIET).until(() -> trims(id) > before);

        here.deregisterCacheEntryListener(registered);

        long[] last = {-1};
        await().atMost(QUIET).pollInterval(Duration.ofMillis(500)).until(() -> {
            long now = trims(id);
            boolean isOver = now == last[0];
            last[0] = now;
            return isOver;
        });
        for (PartitionId each : FeedServers.ALL.subList(0, 3)) {
            String names = servers.plain(each, plain -> String.join(" ", plain.keys("keyslot:*")));
            assertThat(names).doesNotContain("readers");
            long groups = servers.plain(
                    each,
                    plain -> plain.keys("keyslot:feed:*").stream()
                            .mapToLong(stream -> plain.xinfoGroups(stream).size())
                            .sum());
            assertThat(groups).isZero();
        }
    }

    /** Returns how often the streams of a server were trimmed, which each read does. */
    private long trims(PartitionId id) {
        @Nullable
        String line = servers.plain(id, plain -> plain.info("commandstats"))
                .lines()
                .filter(each -> each.startsWith("cmdstat_xtrim:"))
                .findFirst()
                .orElse(null);
        return line == null ? 0 : Long.parseLong(line.replaceAll("cmdstat_xtrim:calls=(\\d+),.*", "$1"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that are written once each, by two processes of which one listens with {@code events: feed}. It has to receive each
 * write that was acknowledged, or a gap afterwards.
 */
final class WrittenOnce implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenOnce.class);
    private static final String CACHE = "written-once";
    private static final String OWN = "own";
    private static final String OTHER = "other";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Cache<String, Long> here;
    private final Cache<String, Long> there;
    private final Map<String, Integer> heard = new ConcurrentHashMap<>();
    private final Ticker ticker = new SystemTicker();
    private final Queue<Long> gaps = new ConcurrentLinkedQueue<>(); // when they were received
    private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
    private final Thread writer = new Thread(this::writeAll, "writes-once");
    private volatile boolean running = true;

    /** A write that was acknowledged, and when it began. */
    private record Write(String key, long begin) {}

    /** @param invalidation listens, and has a near cache too */
    WrittenOnce(CacheManager invalidation, CacheManager writing) {
        here = invalidation.createCache(
                CACHE,
                configuration()
                        .setEvents(EventScope.FEED)
                        .setNear(NearOptions.ofEntries(1_000).withStaleness(NearRun.STALENESS)));
        there = writing.createCache(CACHE, configuration());
        Listener listener = new Listener();
        here.registerCacheEntryListener(
                new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, false));
    }

    private static PartitionedConfiguration<String, Long> configuration() {
        return new PartitionedConfiguration<String, Long>()
                .setTypes(String.class, Long.class)
                .setFeed(FeedOptions.defaults().withValues(true));
    }

    private final class Listener
            implements CacheEntryCreatedListener<String, Long>,
                    CacheEntryUpdatedListener<String, Long>,
                    EventGapListener {
        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
            events.forEach(event -> heard.merge(event.getKey(), 1, Integer::sum));
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
            onCreated(events);
        }

        @Override
        public void onGap(EventGap gap) {
            gaps.add(ticker.nanos());
        }
    }

    void begin() {
        writer.start();
    }

    private void writeAll() {
        for (long i = 0; running; i++) {
            write(there, OTHER + i, i);
            write(here, OWN + i, i);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private void write(Cache<String, Long> cache, String key, long value) {
        long begin = ticker.nanos();
        try {
            cache.put(key, value);
            writes.add(new Write(key, begin));
        } catch (CacheException e) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5)); // done or not: nobody asks for it
        }
    }

    /** Ends writing, and checks what was received; what is written by now is received without a gap. */
    void end(String fault) throws InterruptedException {
        running = false;
        writer.join();
        awaitAnswer();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(missing())
                        .as("what was not heard, with %s, and gaps %s", fault, gaps)
                        .isEmpty());

        LOG.info("{}: received {} of {} keys, gaps: {}", fault, heard.size(), writes.size(), gaps);
    }

    /** A key that is written after all gaps are over is heard of. */
    private void awaitAnswer() {
        int[] round = {0};
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            write(there, "last" + round[0]++, 0);
            return heard.keySet().stream().anyMatch(key -> key.startsWith("last"));
        });
    }

    /** Returns writes that were neither heard nor in a gap. */
    private List<Write> missing() {
        return writes.stream()
                .filter(write -> !heard.containsKey(write.key()))
                .filter(write -> gaps.stream().noneMatch(gap -> gap - write.begin() > 0))
                .toList();
    }

    @Override
    public void close() throws InterruptedException {
        running = false;
        writer.join();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.config.Deadlines;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One of three servers is killed under load, and comes back. */
class LostPartitionIT {
    private static final int THREADS = 8;
    private static final int KEYS = 600;

    /** The deadline of a call, and what threads may wait for a processor on a machine that does other things as well. */
    private static final Duration DEADLINE = Deadlines.defaults().call();

    private static final Duration GRACE = Duration.ofMillis(250);
    private static final Duration BACK_WITHIN = Duration.ofSeconds(3);
    private static final long SECONDS = 60;

    /**
     * What a run has measured.
     *
     * @param slowestRead of all threads
     * @param back from the restart of the server to its use
     * @param othersLoaded keys of other partitions that were loaded, as these did not answer in time
     */
    private record Measured(Duration slowestRead, Duration back, Set<String> othersLoaded) {}

    private final Database database = new Database();
    private final Ticker ticker = new SystemTicker();

    @Test
    void killedServer_costsNoReadAndItsReturnBringsNothingOld() throws Exception {
        UpToThreeRuns.of(this::runThatAnswersRight, measured -> {
            assertThat(measured.slowestRead()).as("the slowest read").isLessThan(DEADLINE.plus(GRACE));
            assertThat(measured.back()).as("the restarted server is used again").isLessThan(BACK_WITHIN);
            assertThat(measured.othersLoaded())
                    .as("keys of other partitions that the loader was asked for")
                    .isEmpty();
        });
    }

    private Measured runThatAnswersRight() throws Exception {
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(3);
            List<String> addresses = servers.stream().map(LocalServer::uri).toList();
            try (CacheManager manager = KeyslotManagers.open("lost-partition", addresses, Map.of())) {
                PartitionedCache<String, Long> cache = cacheOf(manager);
                Set<String> lost = fillAndFindKeysOf("p2", cache);

                Duration back;
                Set<String> othersLoaded = new HashSet<>();
                Load load = new Load(cache);
                try (load) {
                    load.awaitReads(2_000);
                    database.asked.clear();
                    servers.get(1).kill();
                    load.awaitReads(20_000);
                    // What the application changes meanwhile, it changes in the database as well.
                    lost.forEach(key -> database.values.merge(key, 1L, Long::sum));
                    load.awaitReads(2_000);
                    assertThat(database.asked).containsAnyElementsOf(lost);
                    othersLoaded.addAll(database.asked);
                    othersLoaded.removeAll(lost);

                    servers.get(1).restart();
                    long restarted = ticker.nanos();
                    await("the restarted server is used again")
                            .atMost(SECONDS, TimeUnit.SECONDS)
                            .until(() -> isStored(cache, lost));
                    back = Duration.ofNanos(ticker.nanos() - restarted);
                    load.awaitReads(2_000);
                }

                assertThat(load.failures).isEmpty();
                for (String key : lost) {
                    assertThat(cache.get(key))
                            .as("never older than what was acknowledged")
                            .isEqualTo(database.values.get(key));
                }
                return new Measured(Duration.ofNanos(load.slowest.get()), back, othersLoaded);
            }
        }
    }

    private PartitionedCache<String, Long> cacheOf(CacheManager manager) {
        @SuppressWarnings("unchecked")
        PartitionedCache<String, Long> cache = manager.createCache(
                        "lost",
                        new MutableConfiguration<String, Long>()
                                .setTypes(String.class, Long.class)
                                .setReadThrough(true)
                                .setCacheLoaderFactory(() -> database))
                .unwrap(PartitionedCache.class);
        return cache;
    }

    private Set<String> fillAndFindKeysOf(String partition, PartitionedCache<String, Long> cache) {
        Set<String> found = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < KEYS; i++) {
            String key = "k" + i;
            database.values.put(key, 1L);
            cache.put(key, 1L);
            if (cache.explain(key).partition().toString().equals(partition)) {
                found.add(key);
            }
        }
        assertThat(found).as("keys of the partition to be lost").hasSizeBetween(KEYS / 6, KEYS / 2);
        return found;
    }

    /** Writes to the lost partition, as an application does whose write just has to wait for the partition's return. */
    private boolean isStored(PartitionedCache<String, Long> cache, Set<String> lost) {
        String key = lost.iterator().next();
        try {
            long next = database.values.merge(key, 1L, Long::sum);
            cache.put(key, next);
            return next == cache.get(key);
        } catch (KeyslotException stillMissing) {
            return false;
        }
    }

    /** What the cache is a cache of. */
    private static final class Database implements CacheLoader<String, Long> {
        private final ConcurrentMap<String, Long> values = new ConcurrentHashMap<>();
        private final Set<String> asked = ConcurrentHashMap.newKeySet();

        @Override
        public @Nullable Long load(String key) {
            asked.add(key);
            return values.get(key);
        }

        @Override
        public Map<String, Long> loadAll(Iterable<? extends String> keys) {
            ConcurrentMap<String, Long> loaded = new ConcurrentHashMap<>();
            keys.forEach(key -> {
                asked.add(key);
                loaded.computeIfAbsent(key, values::get);
            });
            return loaded;
        }
    }

    /** Threads that read all keys, again and again, until it is closed. */
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean running = new AtomicBoolean(true);
        private final AtomicLong reads = new AtomicLong();
        private final AtomicLong slowest = new AtomicLong();
        private final Set<String> failures = ConcurrentHashMap.newKeySet();
        private final Ticker ticker = new SystemTicker();
        private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

        Load(PartitionedCache<String, Long> cache) {
            IntStream.range(0, THREADS).forEach(thread -> executor.execute(() -> read(cache, thread)));
        }

        private void read(PartitionedCache<String, Long> cache, int thread) {
            for (int i = thread; running.get(); i++) {
                long start = ticker.nanos();
                try {
                    cache.get("k" + i % KEYS);
                } catch (RuntimeException e) {
                    failures.add(e.toString());
                }
                slowest.accumulateAndGet(ticker.nanos() - start, Math::max);
                reads.incrementAndGet();
            }
        }

        void awaitReads(long more) {
            long goal = reads.get() + more;
            await("%d more reads".formatted(more))
                    .atMost(SECONDS, TimeUnit.SECONDS)
                    .until(() -> reads.get() >= goal);
        }

        @Override
        public void close() throws InterruptedException {
            running.set(false);
            executor.shutdown();
            assertThat(executor.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}

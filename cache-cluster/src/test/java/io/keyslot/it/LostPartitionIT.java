// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.Deadlines;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.routing.SystemTicker;
import io.keyslot.client.routing.Ticker;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.time.Duration;
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

    private final Database database = new Database();

    @Test
    void killedServer_costsNoReadAndItsReturnBringsNothingOld() throws Exception {
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(3);
            List<String> addresses = servers.stream().map(LocalServer::uri).toList();
            try (CacheManager manager = KeyslotManagers.open("lost-partition", addresses)) {
                PartitionedCache<String, Long> cache = cacheOf(manager);
                Set<String> lost = fillAndFindKeysOf("p2", cache);

                Load load = new Load(cache);
                try (load) {
                    load.awaitReads(2_000);
                    database.asked.clear();
                    servers.get(1).kill();
                    load.awaitReads(20_000);
                    // What the application changes meanwhile, it changes in the database as well.
                    lost.forEach(key -> database.values.merge(key, 1L, Long::sum));
                    load.awaitReads(2_000);
                    assertThat(database.asked)
                            .as("keys that the loader was asked for")
                            .isSubsetOf(lost);
                    assertThat(database.asked).isNotEmpty();

                    servers.get(1).restart();
                    await("the restarted server is used again")
                            .atMost(BACK_WITHIN)
                            .until(() -> isStored(cache, lost));
                    load.awaitReads(2_000);
                }

                assertThat(load.failures).isEmpty();
                assertThat(Duration.ofNanos(load.slowest.get()))
                        .as("the slowest read")
                        .isLessThan(DEADLINE.plus(GRACE));
                for (String key : lost) {
                    assertThat(cache.get(key))
                            .as("never older than what was acknowledged")
                            .isEqualTo(database.values.get(key));
                }
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

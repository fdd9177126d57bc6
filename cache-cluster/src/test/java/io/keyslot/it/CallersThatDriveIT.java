// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.RemoteCounter;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads of an application that do the I/O for one another while they wait. */
@Tag("thorough")
class CallersThatDriveIT {
    private static final int KEYS = 300;
    private static final int OTHERS = 2;
    private static final int INTERRUPTIONS = 2_000;
    private static final long SECONDS = 60;

    /** By how much the clock that counts seconds and the one that tells the date may drift meanwhile. */
    private static final Duration CLOCKS = Duration.ofMillis(100);

    private final AtomicBoolean running = new AtomicBoolean(true);
    private final Set<String> wrong = ConcurrentHashMap.newKeySet();

    @Test
    void interruptedCaller_staysInterruptedAndCostsNobodyAConnection() throws Exception {
        try (LocalServers local = LocalServers.create();
                CacheManager manager = KeyslotManagers.openPatiently("drive-interrupted", uris(local, 3))) {
            PartitionedCache<String, Long> cache = filled(manager);
            List<Instant> connectedSince = connectedSince(manager);
            AtomicInteger seen = new AtomicInteger();
            Thread victim = new Thread(() -> {
                while (running.get()) {
                    try {
                        cache.get("k" + seen.get() % KEYS);
                    } catch (CallInterruptedException told) {
                        // It stays marked, which is what counts here.
                    }
                    if (Thread.interrupted()) {
                        seen.incrementAndGet();
                    }
                }
            });
            List<Thread> others = IntStream.range(0, OTHERS)
                    .mapToObj(i -> new Thread(() -> readAll(cache)))
                    .toList();
            victim.start();
            others.forEach(Thread::start);

            try {
                for (int i = 1; i <= INTERRUPTIONS; i++) {
                    int next = i;
                    victim.interrupt();
                    await("interruption %d is seen by the thread".formatted(next))
                            .pollInSameThread()
                            .pollDelay(0, TimeUnit.MILLISECONDS)
                            .pollInterval(50, TimeUnit.MICROSECONDS)
                            .atMost(SECONDS, TimeUnit.SECONDS)
                            .until(() -> seen.get() == next);
                }
            } finally {
                running.set(false);
                end(victim);
                for (Thread other : others) {
                    end(other);
                }
            }

            assertThat(wrong).isEmpty();
            List<Instant> afterwards = connectedSince(manager);
            for (int i = 0; i < afterwards.size(); i++) {
                assertThat(afterwards.get(i))
                        .isCloseTo(
                                connectedSince.get(i),
                                new TemporalUnitWithinOffset(CLOCKS.toMillis(), ChronoUnit.MILLIS));
            }
        }
    }

    @Test
    void connectionThatNobodyAsks_isMissedWhileACallerDrivesForAnother() throws Exception {
        try (LocalServers local = LocalServers.create()) {
            List<LocalServer> servers = local.start(2);
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "drive-lost", servers.stream().map(LocalServer::uri).toList())) {
                PartitionedCache<String, Long> cache = filled(manager);
                String onFirst = IntStream.range(0, KEYS)
                        .mapToObj(i -> "k" + i)
                        .filter(key -> cache.explain(key).partition().toString().equals("p1"))
                        .findFirst()
                        .orElseThrow();
                Thread caller = new Thread(() -> {
                    while (running.get()) {
                        if (cache.get(onFirst) == null) {
                            wrong.add("nothing stored");
                        }
                    }
                });
                caller.start();

                try {
                    servers.get(1).kill();
                    await("the second partition is missing")
                            .atMost(SECONDS, TimeUnit.SECONDS)
                            .until(() -> partitions(manager).get(1).state() != PartitionState.HEALTHY);
                } finally {
                    running.set(false);
                    end(caller);
                }
                assertThat(wrong).isEmpty();
            }
        }
    }

    /** The threads of Netty read nothing for a caller that waits, whatever it asks. */
    @Test
    void callersOfGroups_doTheirOwnIo() throws Exception {
        try (LocalServers local = LocalServers.create();
                CacheManager manager = KeyslotManagers.openPatiently("drive-groups", uris(local, 1))) {
            CacheGroup group = manager.unwrap(PartitionedCacheManager.class).group(EntityKey.of("customer", "ada"));
            RemoteCounter counter = group.counter(EntityKey.of("visits").in(group.root()));
            counter.set(1);
            askAndChange(group, counter); // the first calls wait for classes to be loaded, and others do I/O meanwhile

            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            UpToThreeRuns.of(
                    () -> {
                        long netty = nettyNanos(threads);
                        long own = threads.getCurrentThreadCpuTime();
                        askAndChange(group, counter);
                        return 100 * (nettyNanos(threads) - netty) / (threads.getCurrentThreadCpuTime() - own);
                    },
                    percent -> assertThat(percent)
                            .as("processor time of Netty's threads, in percent of the caller's")
                            .isLessThan(10));
        }
    }

    /** Nothing that makes the group larger: beside some of that, somebody looks how large it is. */
    private static void askAndChange(CacheGroup group, RemoteCounter counter) {
        for (int i = 0; i < INTERRUPTIONS; i++) {
            counter.get();
            counter.persist();
            group.transactWithoutResult(work -> work.counter(counter.key()).persist());
        }
    }

    private static long nettyNanos(ThreadMXBean threads) {
        return LongStream.of(threads.getAllThreadIds())
                .filter(id -> {
                    ThreadInfo info = threads.getThreadInfo(id);
                    return info != null && info.getThreadName().startsWith("keyslot-redis");
                })
                .map(id -> Math.max(0, threads.getThreadCpuTime(id)))
                .sum();
    }

    private void readAll(PartitionedCache<String, Long> cache) {
        for (int i = 0; running.get(); i++) {
            long expected = i % KEYS;
            try {
                Long value = cache.get("k" + expected);
                if (value == null || value != expected) {
                    wrong.add("k" + expected + " is " + value);
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
        }
    }

    private static void end(Thread thread) throws InterruptedException {
        thread.join(TimeUnit.SECONDS.toMillis(SECONDS));
        assertThat(thread.isAlive()).isFalse();
    }

    private static List<String> uris(LocalServers local, int count) throws Exception {
        return local.start(count).stream().map(LocalServer::uri).toList();
    }

    private static PartitionedCache<String, Long> filled(CacheManager manager) {
        @SuppressWarnings("unchecked")
        PartitionedCache<String, Long> cache = manager.createCache(
                        "drive", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class))
                .unwrap(PartitionedCache.class);
        for (long i = 0; i < KEYS; i++) {
            cache.putAll(Map.of("k" + i, i));
        }
        return cache;
    }

    private static List<PartitionStatus> partitions(CacheManager manager) {
        return manager.unwrap(PartitionedCacheManager.class).partitions();
    }

    private static List<Instant> connectedSince(CacheManager manager) {
        return partitions(manager).stream().map(PartitionStatus::since).toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.race.Database;
import io.keyslot.race.Race;
import io.keyslot.race.Racer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every pair of calls of a cache with a writer, by two threads of one manager or of two, or of two JVMs, on real servers:
 * what {@code WriterRaceTest} asks for on virtual time, with the races that chance gives.
 */
@Tag("thorough")
@SideBySide
class WriterRaceIT {
    private static final int RACES = Integer.getInteger("keyslot.races", 600);
    private static final long SEED = Long.getLong("keyslot.races.seed", 1);
    private static final int RACES_OF_A_SETTING = 50;

    /** How many are between two JVMs: it takes longer to tell another one what to do. */
    private static final int RACES_OF_JVMS = Math.max(300, RACES / 5);

    /** The other JVM begins later, as it has to be told; this one waits as long, more or less. */
    private static final int LONGEST_HEAD_START_NANOS = 400_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    @Timeout(7_200)
    void cacheAndDatabaseAgree_whicheverCallsRace() throws Exception {
        Findings findings = new Findings();
        try (TestServers servers = TestServers.start(2);
                CacheManager first = KeyslotManagers.openPatiently("races-1", servers.uris());
                CacheManager second = KeyslotManagers.openPatiently("races-2", servers.uris())) {
            for (int run = 0; run < RACES; run += RACES_OF_A_SETTING) {
                RaceCaches caches = RaceCaches.draw(seedOf(run));
                Database database = caches.database();
                String name = "races-" + run;
                PartitionedCache<String, String> one = caches.create(first, name, database);
                boolean isOtherProcess = caches.setting().twoProcesses();
                PartitionedCache<String, String> other = isOtherProcess ? caches.create(second, name, database) : one;
                race(run, caches, one, Racer.of(other), database, this::together, () -> flush(other), findings);
                first.destroyCache(name);
                if (isOtherProcess) {
                    second.destroyCache(name);
                }
            }
        }
        findings.assertNone();
    }

    @Test
    @Timeout(7_200)
    void cacheAndDatabaseAgree_whicheverCallsOfTwoJvmsRace() throws Exception {
        Findings findings = new Findings();
        try (TestServers servers = TestServers.start(2);
                RowServer rows = new RowServer(RaceCaches.draw(0).database());
                RacingJvm other = RacingJvm.start(servers.uris(), rows.port());
                CacheManager manager = KeyslotManagers.openPatiently("races-1", servers.uris())) {
            for (int run = 0; run < RACES_OF_JVMS; run += RACES_OF_A_SETTING) {
                RaceCaches caches = RaceCaches.draw(seedOf(run)).inTwoProcesses();
                Database database = caches.database();
                rows.serve(database);
                String name = "races-" + run;
                PartitionedCache<String, String> one = caches.create(manager, name, database);
                other.open(name, seedOf(run));
                race(
                        run,
                        caches,
                        one,
                        other,
                        database,
                        (here, there) -> together(() -> later(here), there),
                        other::flush,
                        findings);
                manager.destroyCache(name);
                other.destroy(name);
            }
        }
        findings.assertNone();
    }

    private static long seedOf(int run) {
        return SEED * 1_000_003 + run / RACES_OF_A_SETTING;
    }

    /** Runs the races of one setting. */
    private void race(
            int first,
            RaceCaches caches,
            PartitionedCache<String, String> one,
            Racer other,
            Database database,
            Race.Track track,
            Runnable flushOther,
            Findings findings) {
        List<Race> races = Race.all();
        Runnable settle = () -> {
            if (caches.setting().behind()) {
                flush(one);
                flushOther.run();
            }
        };
        for (int run = first; run < first + RACES_OF_A_SETTING; run++) {
            Race race = races.get((int) (run * 7919L % races.size()));
            race.run(one, other, database, track, settle, caches.setting().isOrdered())
                    .ifPresent(wrong -> findings.add(race, caches + ": " + wrong));
        }
    }

    private static void flush(PartitionedCache<String, String> cache) {
        if (!cache.flushWrites(Duration.ofMinutes(1))) {
            throw new IllegalStateException("not flushed");
        }
    }

    private void together(Runnable one, Runnable other) {
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture.allOf(
                        CompletableFuture.runAsync(() -> begin(start, one), threads),
                        CompletableFuture.runAsync(() -> begin(start, other), threads))
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
    }

    private static void begin(CyclicBarrier start, Runnable task) {
        try {
            start.await(1, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException("the other thread did not come", e);
        }
        task.run();
    }

    private static void later(Runnable task) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_HEAD_START_NANOS));
        task.run();
    }

    /** What went wrong, and how often in races of which calls. */
    private static final class Findings {
        private final Map<String, Integer> kinds = new TreeMap<>();
        private final List<String> found = new ArrayList<>();

        void add(Race race, String wrong) {
            kinds.merge(race.one() + "/" + race.other(), 1, Integer::sum);
            found.add(wrong);
        }

        void assertNone() {
            kinds.forEach((kind, times) -> System.out.printf("%s: %d%n", kind, times));
            assertThat(found.stream().limit(20))
                    .as("of %d differences", found.size())
                    .isEmpty();
        }
    }
}

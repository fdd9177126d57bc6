// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Codec;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.race.Database;
import io.keyslot.race.Race;
import io.keyslot.race.RaceSetting;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every pair of calls of a cache with a writer, by two threads of one manager or of two, on real servers: what {@code
 * WriterRaceTest} asks for on virtual time, with the races that chance gives.
 */
class WriterRaceIT {
    private static final int RACES = Integer.getInteger("keyslot.races", 1_500);
    private static final long SEED = Long.getLong("keyslot.races.seed", 1);
    private static final int RACES_OF_A_SETTING = 50;

    /** More than 1 MiB: a value in parts. */
    private static final int LARGE_BYTES = 1_200_000;

    @Test
    @Timeout(7_200)
    void cacheAndDatabaseAgree_whicheverCallsRace() throws Exception {
        List<Race> races = Race.all();
        Map<String, Integer> kinds = new TreeMap<>();
        List<String> found = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (TestServers servers = TestServers.start(2);
                CacheManager first = KeyslotManagers.openPatiently("races-1", servers.uris());
                CacheManager second = KeyslotManagers.openPatiently("races-2", servers.uris())) {
            for (int run = 0; run < RACES; ) {
                long seed = SEED * 1_000_003 + run / RACES_OF_A_SETTING;
                Random chance = new Random(seed);
                RaceSetting setting = RaceSetting.random(chance);
                boolean isLarge = chance.nextInt(10) == 0;
                Database database = new Database(() -> pause(setting), () -> fails(setting));
                String name = "races-" + run;
                PartitionedCache<String, String> one = cache(first, name, setting, isLarge, database);
                PartitionedCache<String, String> other =
                        setting.twoProcesses() ? cache(second, name, setting, isLarge, database) : one;
                for (int i = 0; i < RACES_OF_A_SETTING; i++, run++) {
                    Race race = races.get((int) (run * 7919L % races.size()));
                    race.run(
                                    one,
                                    other,
                                    database,
                                    (a, b) -> together(threads, a, b),
                                    () -> settle(setting, one, other),
                                    setting.isOrdered())
                            .ifPresent(wrong -> {
                                kinds.merge(race.one() + "/" + race.other(), 1, Integer::sum);
                                found.add("%s large %s: %s".formatted(setting, isLarge, wrong));
                            });
                }
                first.destroyCache(name);
                if (setting.twoProcesses()) {
                    second.destroyCache(name);
                }
            }
        } finally {
            threads.shutdown();
        }
        kinds.forEach((kind, times) -> System.out.printf("%s: %d%n", kind, times));
        assertThat(found.stream().limit(20))
                .as("of %d differences", found.size())
                .isEmpty();
    }

    @SuppressWarnings("unchecked") // of these types
    private static PartitionedCache<String, String> cache(
            CacheManager manager, String name, RaceSetting setting, boolean isLarge, Database database) {
        PartitionedConfiguration<String, String> configuration = setting.configuration(database);
        if (isLarge) {
            configuration.setCodecFactory(Padded::new);
        }
        return manager.createCache(name, configuration).unwrap(PartitionedCache.class);
    }

    private static void pause(RaceSetting setting) {
        switch (setting.writer()) {
            case FAST -> {}
            case FAILING, SLOW ->
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(300_000));
            case VERY_SLOW -> LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(3_000_000));
        }
    }

    private static boolean fails(RaceSetting setting) {
        return setting.writer() == RaceSetting.Writer.FAILING
                && ThreadLocalRandom.current().nextInt(3) == 0;
    }

    private static void settle(
            RaceSetting setting, PartitionedCache<String, String> one, PartitionedCache<String, String> other) {
        if (setting.behind()) {
            one.flushWrites(Duration.ofMinutes(1));
            other.flushWrites(Duration.ofMinutes(1));
        }
    }

    private static void together(ExecutorService threads, Runnable one, Runnable other) {
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

    /** Text that takes more than a megabyte. */
    private static final class Padded implements Codec<String> {
        @Override
        public String name() {
            return "padded";
        }

        @Override
        public byte[] encode(String value) {
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(LARGE_BYTES)
                    .putInt(text.length)
                    .put(text)
                    .array();
        }

        @Override
        public String decode(ByteBuffer bytes) {
            byte[] text = new byte[bytes.getInt()];
            bytes.get(text);
            return new String(text, StandardCharsets.UTF_8);
        }
    }
}

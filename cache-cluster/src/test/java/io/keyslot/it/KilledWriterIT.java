// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.race.Database;
import io.keyslot.race.Racer;
import io.keyslot.race.RacingCall;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that writes through is killed when the database has its change and the cache does not. */
@Tag("thorough")
@SideBySide
class KilledWriterIT {
    /** Five seconds, for which a place is reserved, and some for the machine. */
    private static final Duration END_OF_THE_RESERVATION = Duration.ofSeconds(7);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String NAME = "killed";

    private CountDownLatch written = new CountDownLatch(1);
    private CountDownLatch killed = new CountDownLatch(1);
    private int pauses;

    @Test
    void oldValues_endWithTheReservations_andDoNotComeBack() throws Exception {
        UpToThreeRuns.of(
                this::killedBetweenWriterAndCache,
                end -> assertThat(end).as("end of the old values").isLessThan(END_OF_THE_RESERVATION));
    }

    /** Returns how long the old values were found after the process had ended. */
    private Duration killedBetweenWriterAndCache() throws Exception {
        written = new CountDownLatch(1);
        killed = new CountDownLatch(1);
        pauses = 0;
        long seed = seedOfAPlainCache();
        try (TestServers servers = TestServers.start(2);
                RowServer rows = new RowServer(new Database(() -> {}, () -> false));
                RacingJvm other = RacingJvm.start(servers.uris(), rows.port());
                CacheManager manager = KeyslotManagers.openPatiently("races-1", servers.uris())) {
            Database database = new Database(this::holdAfterTheLastRow, () -> false);
            PartitionedCache<String, String> cache =
                    RaceCaches.draw(seed).create(manager, NAME, new Database(() -> {}, () -> false));
            cache.putAll(Map.of("k", "old", "m", "old"));
            rows.serve(database);
            other.open(NAME, seed);

            CompletableFuture<Void> call =
                    CompletableFuture.runAsync(() -> Objects.requireNonNull(other.call(RacingCall.PUT_ALL, "new")));
            assertThat(written.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(found(cache)).as("until then").containsEntry("k", "old").containsEntry("m", "old");
            other.close();
            killed.countDown();
            assertThat(call).failsWithin(LONG);

            assertThat(database.rows()).containsEntry("k", "new").containsEntry("m", "new");
            long start = System.nanoTime();
            await().atMost(LONG).untilAsserted(() -> assertThat(found(cache)).doesNotContainValue("old"));
            Duration end = Duration.ofNanos(System.nanoTime() - start);
            await().during(Duration.ofSeconds(2))
                    .atMost(LONG)
                    .until(() -> !found(cache).containsValue("old"));
            cache.put("k", "later");
            assertThat(cache.get("k")).isEqualTo("later");
            return end;
        }
    }

    /** Returns a seed that draws a cache which writes through and has nothing else. */
    private static long seedOfAPlainCache() {
        return LongStream.range(0, 10_000)
                .filter(seed -> {
                    RaceCaches caches = RaceCaches.draw(seed);
                    return !caches.isLarge()
                            && !caches.setting().behind()
                            && !caches.setting().readThrough();
                })
                .findFirst()
                .orElseThrow();
    }

    /** There is one before and one after each of the two rows is written. */
    private void holdAfterTheLastRow() {
        pauses++;
        if (pauses == 4) {
            written.countDown();
            try {
                assertThat(killed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<String, @Nullable String> found(PartitionedCache<String, String> cache) {
        return Racer.of(cache).found();
    }
}

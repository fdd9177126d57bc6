// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.CacheOverloadedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many schedules of changes and of failures of the writer, on one thread: what was acknowledged arrives, in its order. */
class WriteBehindSimulationTest {
    private static final int SCHEDULES = 200;
    private static final int STEPS = 300;
    private static final int KEYS = 12;
    private static final int QUEUE = 8;
    private static final WriteBehindOptions OPTIONS = WriteBehindOptions.defaults()
            .withQueue(QUEUE)
            .withBatch(3)
            .withAttempts(1_000)
            .withDelay(Duration.ofMillis(200))
            .withCloseWait(Duration.ZERO); // the test's thread does it all

    static LongStream seeds() {
        return LongStream.range(0, SCHEDULES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void database_hasTheLastAcknowledgedChangeOfEachKey(long seed) {
        Random random = new Random(seed);
        WriteBehindFixture fixture = new WriteBehindFixture(OPTIONS);
        Map<String, String> acknowledged = new HashMap<>();
        if (random.nextBoolean()) {
            fixture.writer.failWhole();
        }
        for (int step = 0; step < STEPS; step++) {
            take(step, random, fixture, acknowledged, seed);
        }

        fixture.writer.unwritable.clear();
        fixture.writer.duringNext(() -> {}); // a closed cache refuses changes
        fixture.behind.close();

        assertThat(fixture.writer.database).as("seed %d", seed).isEqualTo(acknowledged);
        assertThat(fixture.dropped.getAsLong()).as("seed %d", seed).isZero();
    }

    private static void take(
            int step, Random random, WriteBehindFixture fixture, Map<String, String> acknowledged, long seed) {
        String key = "key" + random.nextInt(KEYS);
        switch (random.nextInt(10)) {
            case 0 -> fixture.writer.unwritable.add(key);
            case 1, 2 -> fixture.writer.unwritable.clear();
            case 3, 4 -> fixture.time.advance(Duration.ofMillis(random.nextInt(500)));
            case 5 -> fixture.writer.duringNext(() -> putOverPlace(key, "during " + step, fixture, acknowledged));
            case 6 -> change(key, null, fixture, acknowledged);
            default -> change(key, Integer.toString(step), fixture, acknowledged);
        }
        assertThat(fixture.queued.getAsInt()).as("seed %d", seed).isLessThanOrEqualTo(QUEUE);
        if (!fixture.isPending(key)) {
            assertThat(fixture.writer.database.get(key))
                    .as("seed %d: nothing waits, so the database is right", seed)
                    .isEqualTo(acknowledged.get(key));
        }
    }

    /** Changes a key while the writer runs, if that needs no place: the writer itself must not wait for one. */
    private static void putOverPlace(
            String key, String value, WriteBehindFixture fixture, Map<String, String> acknowledged) {
        if (fixture.isPending(key)) {
            change(key, value, fixture, acknowledged);
        }
    }

    private static void change(
            String key, @Nullable String value, WriteBehindFixture fixture, Map<String, String> acknowledged) {
        try (OutboxEntry place = fixture.reserve(key)) {
            fixture.fill(place, key, value, false);
            if (value == null) {
                acknowledged.remove(key);
            } else {
                acknowledged.put(key, value);
            }
        } catch (CacheOverloadedException refused) {
            assertThat(fixture.isPending(key)).isFalse();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache that fails nobody, and forgets no change. */
class FailSafeCallsTest {
    private static final String KEY = "99";
    private static final int STEPS = 400;
    private static final int KEYS = 12;

    private static FailSafeCalls<String, Object> failSafe(EmbeddedKeyslot keyslot, int process) {
        return failSafe(
                keyslot.cacheManager(process).createCache("books", new PartitionedConfiguration<String, Object>()));
    }

    @SuppressWarnings("unchecked") // the view has the types of its cache
    private static FailSafeCalls<String, Object> failSafe(PartitionedCache<String, Object> cache) {
        return cache.unwrap(FailSafeCalls.class);
    }

    @Test
    void evictionDuringAnOutage_isDoneBeforeTheNextRead() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            FailSafeCalls<String, Object> cache = failSafe(keyslot, 0);
            cache.put(KEY, "old", null);
            keyslot.partitions().forEach(partition -> partition.cut(0));

            cache.remove(KEY);
            assertThat(cache.get(KEY)).isNull();

            keyslot.partitions().forEach(partition -> partition.mend(0));
            keyslot.advance(Duration.ofSeconds(30));
            assertThat(cache.get(KEY)).isNull();
            cache.put(KEY, "new", null);
            assertThat(cache.get(KEY)).isEqualTo("new");
        }
    }

    @Test
    void clearDuringAnOutage_isDoneBeforeTheNextRead() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            FailSafeCalls<String, Object> cache = failSafe(keyslot, 0);
            for (int i = 0; i < KEYS; i++) {
                cache.put("key " + i, "old", null);
            }
            keyslot.partitions().get(1).cut(0);

            cache.clear();

            keyslot.partitions().get(1).mend(0);
            keyslot.advance(Duration.ofSeconds(30));
            for (int i = 0; i < KEYS; i++) {
                assertThat(cache.get("key " + i)).isNull();
            }
        }
    }

    @Test
    void failInWords_isObeyed() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            PartitionedConfiguration<String, Object> configuration = new PartitionedConfiguration<>();
            configuration.setMissingPartition(MissingPartitionPolicy.FAIL);
            configuration.setMissingPartitionWrites(MissingPartitionWritePolicy.FAIL);
            FailSafeCalls<String, Object> cache =
                    failSafe(keyslot.cacheManager().createCache("books", configuration));
            keyslot.partitions().forEach(PartitionFaults::kill);

            assertThatThrownBy(() -> cache.get(KEY)).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.put(KEY, "a", null)).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.load(KEY, () -> "a")).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(cache::clear).isInstanceOf(PartitionUnavailableException.class);
        }
    }

    @Test
    void asynchronousCalls_failNobody_andNeedTheExecutorAfterTheReply() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            FailSafeCalls<String, Object> cache = failSafe(keyslot, 0);
            Deque<Runnable> tasks = new ArrayDeque<>();
            keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(10)));

            CompletionStage<@Nullable Object> loaded = cache.loadAsync(KEY, () -> "a", tasks::add);
            assertThat(tasks).isEmpty();
            keyslot.advance(Duration.ofMillis(10));
            tasks.remove().run();
            assertThat(keyslot.await(loaded)).isEqualTo("a");
            assertThat(keyslot.await(cache.getAsync(KEY))).isEqualTo("a");
            assertThat(keyslot.await(cache.loadAsync(KEY, () -> "b", Runnable::run)))
                    .isEqualTo("a");

            assertThatThrownBy(() -> keyslot.await(cache.loadAsync(
                            "other",
                            () -> {
                                throw new IOException("no paper");
                            },
                            Runnable::run)))
                    .hasRootCauseInstanceOf(IOException.class);
            keyslot.partitions().forEach(partition -> partition.cut(0));
            assertThat(keyslot.await(cache.getAsync(KEY))).isNull();
            assertThat(keyslot.await(cache.loadAsync(KEY, () -> "c", Runnable::run)))
                    .isEqualTo("c");
        }
    }

    /** Any order of operations and outages: no call fails, and what is read is the last value or nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyOrder_failsNobody_andNothingIsOutdated(long seed) throws Exception {
        Random random = new Random(seed);
        try (EmbeddedKeyslot keyslot =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withSeed(seed))) {
            FailSafeCalls<String, Object> cache = failSafe(keyslot, 0);
            Map<String, Integer> latest = new HashMap<>();
            for (int step = 0; step < STEPS; step++) {
                String key = "key " + random.nextInt(KEYS);
                int value = step;
                switch (random.nextInt(10)) {
                    case 0, 1, 2 -> check(seed, step, cache.get(key), latest.get(key));
                    case 3, 4 -> {
                        latest.put(key, value);
                        cache.put(key, value, null);
                    }
                    case 5 -> {
                        latest.put(key, value);
                        cache.remove(key);
                    }
                    case 6 -> {
                        int present = latest.computeIfAbsent(key, absent -> value);
                        check(seed, step, cache.load(key, () -> present), present);
                    }
                    case 7 -> {
                        if (random.nextInt(4) == 0) {
                            latest.replaceAll((any, before) -> value);
                            cache.clear();
                        }
                    }
                    case 8 -> change(keyslot.partitions().get(random.nextInt(3)), random);
                    default -> keyslot.advance(Duration.ofMillis(random.nextInt(3_000)));
                }
            }
            keyslot.partitions().forEach(partition -> partition.mend(0));
            keyslot.advance(Duration.ofMinutes(1));
            latest.forEach((key, value) -> check(seed, STEPS, cache.get(key), value));
        }
    }

    private static void change(PartitionFaults partition, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> partition.cut(0);
            case 1 -> partition.dropReplies(1 + random.nextInt(3));
            case 2 -> partition.resetConnections();
            default -> partition.mend(0);
        }
    }

    private static void check(long seed, int step, @Nullable Object found, @Nullable Integer latest) {
        assertThat(found == null || Objects.equals(found, latest))
                .as("seed %d, step %d: found %s, the last one is %s", seed, step, found, latest)
                .isTrue();
    }
}

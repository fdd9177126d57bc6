// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.hot.HotKey;
import io.keyslot.cache.hot.HotKeys;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearSelection;
import io.keyslot.cache.near.NearState;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Near caches that keep hot keys only, and which keys are hot, in virtual time. */
class NearHotKeysTest {
    private static final int HOT = 10;
    private static final int COLD = 10_000;
    private static final Duration STALENESS = Duration.ofSeconds(2);

    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
            KeyslotSettings.defaults().withPartitions(2).withProperty("keyslot.metrics", "false"));
    private int commands;
    private int tracked;

    @AfterEach
    void close() {
        keyslot.close();
    }

    private Cache<String, String> cache(NearSelection only, int copies) {
        Cache<String, String> cache = keyslot.cacheManager(0)
                .createCache(
                        "near",
                        configuration()
                                .setNear(NearOptions.ofEntries(copies)
                                        .withStaleness(STALENESS)
                                        .withOnly(only)));
        keyslot.advance(Duration.ofMillis(1)); // until the probe was told
        keyslot.partitions().forEach(partition -> partition.watch(this::sent));
        return cache;
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private void sent(Command<?> command) {
        if (command.keys().stream().map(EncodedKey::text).noneMatch(key -> key.startsWith("keyslot:near:"))) {
            commands++;
            tracked += command instanceof Command.GetTracked ? 1 : 0;
        }
    }

    private boolean isHit(Cache<String, String> cache, String key) {
        int before = commands;
        assertThat(cache.get(key)).isEqualTo("of " + key);
        return commands == before;
    }

    /** What a workload has seen: the reads of its hot keys, those that copies have answered, and reads that were to be kept. */
    private record Seen(int reads, int hits, int tracked) {
        double hitRate() {
            return (double) hits / reads;
        }
    }

    /**
     * Hot keys, by a power law, among cold ones.
     *
     * @param oneIn of so many reads is one of a hot key
     * @param isScan whether cold keys come in turn, and not by chance
     * @param changedEach after about so many reads another process changes a hot key
     */
    private record Workload(int seed, String hot, int oneIn, double skew, boolean isScan, int changedEach) {
        static Workload of(int seed) {
            Random random = new Random(1_000_003L * seed);
            return new Workload(
                    seed,
                    "hot",
                    3 + random.nextInt(8),
                    3 * random.nextDouble(),
                    random.nextBoolean(),
                    200 + random.nextInt(1_000));
        }

        static Workload of(int seed, String hot) {
            return new Workload(seed, hot, 5, 1, true, 500);
        }
    }

    private Seen work(Cache<String, String> cache, Cache<String, String> writer, Workload workload, int rounds) {
        Random random = new Random(workload.seed());
        int reads = 0;
        int hits = 0;
        int trackedBefore = tracked;
        for (int i = 0; i < rounds; i++) {
            if (random.nextInt(workload.oneIn()) == 0) {
                reads++;
                int rank = (int) (HOT * Math.pow(random.nextDouble(), 1 + workload.skew()));
                hits += isHit(cache, workload.hot() + rank) ? 1 : 0;
            } else {
                isHit(cache, "cold" + (workload.isScan() ? i : random.nextInt(COLD)) % COLD);
            }
            if (random.nextInt(workload.changedEach()) == 0) {
                String changed = workload.hot() + random.nextInt(HOT);
                writer.put(changed, "of " + changed);
            }
            keyslot.advance(Duration.ofMillis(1));
        }
        return new Seen(reads, hits, tracked - trackedBefore);
    }

    private Cache<String, String> fill() {
        Cache<String, String> writer = keyslot.cacheManager(1).createCache("near", configuration());
        IntStream.range(0, COLD).forEach(i -> writer.put("cold" + i, "of cold" + i));
        for (String hot : List.of("hot", "later")) {
            IntStream.range(0, HOT).forEach(i -> writer.put(hot + i, "of " + hot + i));
        }
        return writer;
    }

    /** With room for as many copies as there are hot keys, and for no other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void hotKeysAreHits_amongTenThousandColdOnes_thatAreNotEvenKept(int seed) {
        Cache<String, String> writer = fill();
        Workload workload = Workload.of(seed);
        Cache<String, String> near = cache(NearSelection.HOT, HOT);
        work(near, writer, workload, 2_000);

        Seen only = work(near, writer, workload, 8_000);
        near.close();
        Cache<String, String> all = cache(NearSelection.ALL, HOT);
        work(all, writer, workload, 2_000);
        Seen every = work(all, writer, workload, 8_000);

        assertThat(only.hitRate()).as("%s, %s, %s", workload, only, every).isGreaterThan(0.9);
        assertThat(only.hitRate() - every.hitRate())
                .as("%s, %s, %s", workload, only, every)
                .isGreaterThan(0.05);
        assertThat(only.tracked()).isLessThan(every.tracked() / 20);
    }

    @Test
    void keyThatTurnsHot_getsIn_andOneThatTurnsColdGoes() {
        Cache<String, String> writer = fill();
        Cache<String, String> near = cache(NearSelection.HOT, 10 * HOT);
        assertThat(work(near, writer, Workload.of(1, "hot"), 6_000).hitRate()).isGreaterThan(0.9);
        assertThat(isHit(near, "hot0")).isTrue();

        assertThat(work(near, writer, Workload.of(2, "later"), 6_000).hitRate()).isGreaterThan(0.9);
        for (int second = 0; second < 400; second++) {
            isHit(near, "later0");
            keyslot.advance(Duration.ofSeconds(1));
        }

        for (int i = 0; i < HOT; i++) {
            assertThat(explain(near, "hot" + i).readAgo()).as("hot" + i).isNull();
        }
        assertThat(explain(near, "hot0").lastEnd()).isEqualTo(NearEnd.COLD);
        assertThat(isHit(near, "later0")).isTrue();
    }

    @SuppressWarnings("unchecked") // the same one
    private static PartitionedCache<String, String> partitioned(Cache<String, String> cache) {
        return cache.unwrap(PartitionedCache.class);
    }

    private static NearState explain(Cache<String, String> cache, String key) {
        return Objects.requireNonNull(partitioned(cache).explain(key).near());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allWaysToRead_count_andHitsOfCopiesToo(boolean isNear) {
        Cache<String, String> writer = fill();
        PartitionedCache<String, String> cache = partitioned(isNear ? cache(NearSelection.ALL, HOT) : writer);
        for (int i = 0; i < 10; i++) {
            cache.get("hot1");
            cache.getAll(Set.of("hot1", "hot2"));
        }
        for (int i = 0; i < 7; i++) {
            cache.containsKey("nobody");
        }
        keyslot.advance(Duration.ofSeconds(1));

        HotKeys<String> hot = cache.hotKeys(10);

        assertThat(hot.keys())
                .containsExactly(
                        new HotKey<>("hot1", 20, 0), new HotKey<>("hot2", 10, 0), new HotKey<>("nobody", 7, 0));
        assertThat(hot.reads()).isEqualTo(37);
        assertThat(cache.hotKeys(1).keys()).hasSize(1);
    }

    /** What decides is no read; nor is a change. */
    @Test
    void changes_doNotCount() {
        PartitionedCache<String, String> cache = partitioned(fill());
        cache.put("a", "1");
        cache.getAndPut("a", "2");
        cache.replace("a", "3");
        cache.invoke("a", (entry, arguments) -> entry.getValue());

        assertThat(cache.hotKeys(10).keys()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.jcache.MapLoader;
import io.keyslot.client.jcache.ReadsAt;
import io.keyslot.slot.PartitionId;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReplicatedCacheTest {
    private static final String KEY = "k";
    private static final int OTHER = 1;
    private static final Duration LEASES_AND_REPAIRS = Duration.ofSeconds(15);

    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();
    private final PartitionedCache<String, Long> cache = cacheOf(keyslot, 0, configuration());
    private final PartitionFaults home = keyslot.partitionOf(cache, KEY);
    private final List<PartitionFaults> others = keyslot.partitions().stream()
            .filter(partition -> !partition.equals(home))
            .toList();

    private static PartitionedConfiguration<String, Long> configuration() {
        return new PartitionedConfiguration<String, Long>().setReplicated(true);
    }

    private static PartitionedCache<String, Long> cacheOf(
            EmbeddedKeyslot keyslot, int process, PartitionedConfiguration<String, Long> configuration) {
        return keyslot.cacheManager(process).createCache("rates", configuration);
    }

    private @Nullable Long at(PartitionFaults partition) {
        return at(partition, cache);
    }

    private static @Nullable Long at(PartitionFaults partition, PartitionedCache<String, Long> cache) {
        return ReadsAt.get(cache, new PartitionId(partition.name()), KEY);
    }

    @AfterEach
    void close() {
        keyslot.close();
    }

    @Nested
    class Reads {
        @Test
        void homeIsMissing_aCopyServes() {
            cache.put(KEY, 1L);

            home.kill();

            assertThat(cache.get(KEY)).isEqualTo(1);
            assertThat(cache.getAll(Set.of(KEY))).isEqualTo(Map.of(KEY, 1L));
            assertThat(at(others.get(0))).isEqualTo(1);
        }

        @Test
        void partitionIsMissing_theHomeServes() {
            cache.put(KEY, 1L);

            others.get(0).kill();

            assertThat(at(others.get(0))).isEqualTo(1);
        }

        @Test
        void partitionHasLostItsCopy_theFirstReadPutsItThereAgain() {
            cache.put(KEY, 1L);
            others.get(0).restartEmpty();
            others.get(1).kill();
            keyslot.advance(Duration.ofSeconds(3));

            assertThat(at(others.get(0))).isEqualTo(1);

            home.kill();
            assertThat(cache.get(KEY)).isEqualTo(1);
        }

        @Test
        void homeHasLostItsEntries_noCopyIsServed() {
            cache.put(KEY, 1L);

            home.restartEmpty();
            keyslot.advance(Duration.ofSeconds(3));

            assertThat(at(home)).isNull();
            assertThat(others).allSatisfy(partition -> assertThat(at(partition)).isNull());
        }

        @Test
        void entryHasExpired_noCopyIsServed() {
            PartitionedCache<String, Long> shortLived =
                    keyslot.cacheManager().createCache("short", configuration().setTimeToLive(Duration.ofSeconds(2)));
            shortLived.put(KEY, 1L);

            keyslot.advance(Duration.ofMillis(1500));
            assertThat(keyslot.partitions())
                    .allSatisfy(
                            partition -> assertThat(at(partition, shortLived)).isEqualTo(1));

            keyslot.advance(Duration.ofMillis(500));
            assertThat(keyslot.partitions())
                    .allSatisfy(
                            partition -> assertThat(at(partition, shortLived)).isNull());
        }

        @Test
        void readThrough_isLoadedOnceForAllPartitions() {
            MapLoader<String, Long> loader = MapLoader.answering(key -> 1L);
            PartitionedConfiguration<String, Long> reading = configuration();
            reading.setReadThrough(true).setCacheLoaderFactory(() -> loader);
            PartitionedCache<String, Long> loading = keyslot.cacheManager().createCache("loading", reading);

            assertThat(keyslot.partitions())
                    .allSatisfy(partition -> assertThat(at(partition, loading)).isEqualTo(1));
            assertThat(loader.takeAsked()).containsExactly(KEY);
        }
    }

    @Nested
    class Writes {
        @Test
        void everyPartition_hasTheLastValue() {
            cache.put(KEY, 1L);
            cache.replace(KEY, 2L);
            cache.invoke(KEY, (entry, arguments) -> {
                entry.setValue(entry.getValue() + 1);
                return null;
            });

            home.kill();

            assertThat(others).allSatisfy(partition -> assertThat(at(partition)).isEqualTo(3));
        }

        @Test
        void removedEntry_isNowhere() {
            cache.put(KEY, 1L);

            assertThat(cache.getAndRemove(KEY)).isEqualTo(1);

            assertThat(keyslot.partitions())
                    .allSatisfy(partition -> assertThat(at(partition)).isNull());
            home.kill();
            assertThat(cache.get(KEY)).isNull();
        }

        @Test
        void clear_removesWhatOnlyOthersHave() {
            cache.put(KEY, 1L);
            home.restartWithSameData();
            keyslot.advance(Duration.ofSeconds(3));

            cache.clear();

            home.kill();
            assertThat(others).allSatisfy(partition -> assertThat(at(partition)).isNull());
        }

        @Test
        void homeIsMissing_theWriteFailsAndCostsNoCopy() {
            cache.put(KEY, 1L);
            home.kill();

            assertThatThrownBy(() -> cache.put(KEY, 2L)).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.putIfAbsent(KEY, 2L)).isInstanceOf(PartitionUnavailableException.class);

            assertThat(cache.get(KEY)).isEqualTo(1);
        }

        @Test
        void partitionIsFrozen_theWriteIsDoneInTimeAndItsOldCopyNeverServedAgain() {
            cache.put(KEY, 1L);
            others.get(0).freeze();
            Duration start = keyslot.elapsed();

            cache.put(KEY, 2L);

            assertThat(keyslot.elapsed().minus(start)).isLessThanOrEqualTo(Duration.ofMillis(500));
            assertThat(at(others.get(0))).isEqualTo(2);
            others.get(0).thaw();
            keyslot.advance(LEASES_AND_REPAIRS);
            assertThat(at(others.get(0))).isEqualTo(2);
        }

        @Test
        void writerIsCutFromAPartition_othersReadTheNewValueThereWhenItIsMended() {
            PartitionedCache<String, Long> reader = cacheOf(keyslot, OTHER, configuration());
            cache.put(KEY, 1L);
            others.get(0).cut(0);
            cache.put(KEY, 2L);
            assertThat(at(others.get(0))).isEqualTo(2);

            others.get(0).mend(0);
            keyslot.advance(LEASES_AND_REPAIRS);

            assertThat(at(others.get(0), reader)).isEqualTo(2);
        }

        @Test
        void answerOfTheHomeIsLost_everyPartitionAgreesWithItAfterwards() {
            PartitionedCache<String, Long> reader = cacheOf(keyslot, OTHER, configuration());
            cache.put(KEY, 1L);
            home.freeze();
            assertThatThrownBy(() -> cache.put(KEY, 2L)).isInstanceOf(RuntimeException.class);
            keyslot.advance(Duration.ofSeconds(6)); // the leases end

            home.thaw();
            others.forEach(partition -> at(partition, reader));
            keyslot.advance(LEASES_AND_REPAIRS);

            Long atHome = at(home, reader);
            assertThat(others)
                    .allSatisfy(partition -> assertThat(at(partition, reader)).isEqualTo(atHome));
        }

        /** If the first writer filled the copies, those would be older than what the second one did before it died. */
        @Test
        void writerDiesAfterItsWrite_anotherWriterThatCameBetweenLeavesNothingOld() {
            PartitionedCache<String, Long> dying = cacheOf(keyslot, OTHER, configuration());
            cache.put(KEY, 1L);
            keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(10)));
            keyslot.after(Duration.ofMillis(16), () -> home.cut(OTHER)); // its leases are there
            keyslot.after(Duration.ofMillis(17), () -> cache.put(KEY, 2L));
            keyslot.after(Duration.ofMillis(150), () -> home.mend(OTHER));
            // It is not heard of any more after its home has answered: what it would do next is the same as dead.
            keyslot.after(Duration.ofMillis(157), () -> keyslot.partitions().forEach(each -> each.cut(OTHER)));

            dying.put(KEY, 3L);

            keyslot.advance(LEASES_AND_REPAIRS);
            assertThat(at(home)).isEqualTo(3);
            assertThat(others).allSatisfy(partition -> assertThat(at(partition)).isEqualTo(3));
        }
    }

    @Nested
    class Iteration {
        @Test
        void eachEntry_isSeenOnce() {
            Set<String> keys = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                keys.add("k" + i);
                cache.put("k" + i, (long) i);
            }

            List<String> seen = new ArrayList<>();
            for (Cache.Entry<String, Long> entry : cache) {
                seen.add(entry.getKey());
            }

            assertThat(seen).containsExactlyInAnyOrderElementsOf(keys);
        }
    }

    @Nested
    class Explain {
        @Test
        void entry_isThatOfItsHome() {
            cache.put(KEY, 1L);

            assertThat(cache.explain(KEY).partition().name()).isEqualTo(home.name());
        }
    }

    @Test
    void onePartition_isAUsualCache() {
        try (EmbeddedKeyslot single =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(1))) {
            PartitionedCache<String, Long> only = cacheOf(single, 0, configuration());

            only.put(KEY, 1L);

            assertThat(at(single.partitions().get(0), only)).isEqualTo(1);
            assertThat(only.remove(KEY)).isTrue();
        }
    }
}

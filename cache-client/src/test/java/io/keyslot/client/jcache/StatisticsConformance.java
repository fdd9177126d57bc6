// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.SettableExpiry.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.processor.MutableEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What each operation adds to the statistics. The entry {@code k=v} is there, {@code absent} is not. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class StatisticsConformance extends JCacheConformance {
    private Cache<String, String> cache;

    protected StatisticsConformance(Supplier<Properties> engine) {
        super(engine);
    }

    private record Counts(long hits, long misses, long puts, long removals) {
        static Counts of(Cache<?, ?> cache) {
            return new Counts(
                    number(cache, "CacheHits"),
                    number(cache, "CacheMisses"),
                    number(cache, "CachePuts"),
                    number(cache, "CacheRemovals"));
        }

        private static long number(Cache<?, ?> cache, String attribute) {
            return (long) CacheMBeans.attribute(CacheMBeans.statisticsName(cache), attribute);
        }
    }

    private static final Counts NOTHING = new Counts(0, 0, 0, 0);
    private static final Counts HIT = new Counts(1, 0, 0, 0);
    private static final Counts MISS = new Counts(0, 1, 0, 0);
    private static final Counts PUT = new Counts(0, 0, 1, 0);
    private static final Counts REMOVAL = new Counts(0, 0, 0, 1);
    private static final Counts HIT_AND_PUT = new Counts(1, 0, 1, 0);
    private static final Counts MISS_AND_PUT = new Counts(0, 1, 1, 0);
    private static final Counts HIT_AND_REMOVAL = new Counts(1, 0, 0, 1);

    @BeforeEach
    void createCache() {
        cache = create(strings().setStatisticsEnabled(true));
    }

    private Counts addedBy(Consumer<Cache<String, String>> operation) {
        cache.clear();
        cache.put("k", "v");
        CacheMBeans.clearStatistics(cache);
        operation.accept(cache);
        return Counts.of(cache);
    }

    @Test
    void get_countsAHitOrAMiss() {
        assertThat(addedBy(c -> c.get("k"))).isEqualTo(HIT);
        assertThat(addedBy(c -> c.get("absent"))).isEqualTo(MISS);
    }

    @Test
    void getAll_countsEachKey() {
        assertThat(addedBy(c -> c.getAll(Set.of("k", "absent", "absent too")))).isEqualTo(new Counts(1, 2, 0, 0));
    }

    @Test
    void containsKey_countsNothing() {
        assertThat(addedBy(c -> c.containsKey("k"))).isEqualTo(NOTHING);
        assertThat(addedBy(c -> c.containsKey("absent"))).isEqualTo(NOTHING);
    }

    @Test
    void put_countsAPut() {
        assertThat(addedBy(c -> c.put("k", "w"))).isEqualTo(PUT);
        assertThat(addedBy(c -> c.put("absent", "w"))).isEqualTo(PUT);
    }

    @Test
    void putAll_countsEachEntry() {
        assertThat(addedBy(c -> c.putAll(Map.of("k", "w", "absent", "w")))).isEqualTo(new Counts(0, 0, 2, 0));
    }

    @Test
    void putIfAbsent_countsAMissAndAPut_orAHit() {
        assertThat(addedBy(c -> c.putIfAbsent("absent", "w"))).isEqualTo(MISS_AND_PUT);
        assertThat(addedBy(c -> c.putIfAbsent("k", "w"))).isEqualTo(HIT);
    }

    @Test
    void getAndPut_countsHitOrMissAndAPut() {
        assertThat(addedBy(c -> c.getAndPut("k", "w"))).isEqualTo(HIT_AND_PUT);
        assertThat(addedBy(c -> c.getAndPut("absent", "w"))).isEqualTo(MISS_AND_PUT);
    }

    @Test
    void replace_countsAHitAndAPut_orAMiss() {
        assertThat(addedBy(c -> c.replace("k", "w"))).isEqualTo(HIT_AND_PUT);
        assertThat(addedBy(c -> c.replace("absent", "w"))).isEqualTo(MISS);
    }

    @Test
    void replaceOfAValue_countsAHitAlsoIfAnotherIsThere() {
        assertThat(addedBy(c -> c.replace("k", "v", "w"))).isEqualTo(HIT_AND_PUT);
        assertThat(addedBy(c -> c.replace("k", "wrong", "w"))).isEqualTo(HIT);
        assertThat(addedBy(c -> c.replace("absent", "v", "w"))).isEqualTo(MISS);
    }

    @Test
    void getAndReplace_countsAHitAndAPut_orAMiss() {
        assertThat(addedBy(c -> c.getAndReplace("k", "w"))).isEqualTo(HIT_AND_PUT);
        assertThat(addedBy(c -> c.getAndReplace("absent", "w"))).isEqualTo(MISS);
    }

    @Test
    void remove_countsARemovalIfThereWasAnEntry() {
        assertThat(addedBy(c -> c.remove("k"))).isEqualTo(REMOVAL);
        assertThat(addedBy(c -> c.remove("absent"))).isEqualTo(NOTHING);
    }

    @Test
    void removeOfAValue_countsAHitAndARemoval_orAMiss() {
        assertThat(addedBy(c -> c.remove("k", "v"))).isEqualTo(HIT_AND_REMOVAL);
        assertThat(addedBy(c -> c.remove("absent", "v"))).isEqualTo(MISS);
    }

    @Test
    void getAndRemove_countsAHitAndARemoval_orAMiss() {
        assertThat(addedBy(c -> c.getAndRemove("k"))).isEqualTo(HIT_AND_REMOVAL);
        assertThat(addedBy(c -> c.getAndRemove("absent"))).isEqualTo(MISS);
    }

    @Test
    void removeAll_countsThoseThatWereThere() {
        assertThat(addedBy(c -> c.removeAll(Set.of("k", "absent")))).isEqualTo(REMOVAL);
        assertThat(addedBy(Cache::removeAll)).isEqualTo(REMOVAL);
    }

    @Test
    void removeAll_doesNotCountExpiredEntries() {
        cache.getCacheManager().destroyCache(NAME);
        cache = create(
                strings().setStatisticsEnabled(true).setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(millis(50))));
        cache.put("k", "v");
        await("expiry of the entry").until(() -> !cache.containsKey("k"));
        CacheMBeans.clearStatistics(cache);
        cache.removeAll();
        assertThat(Counts.of(cache)).isEqualTo(NOTHING);
    }

    @Test
    void clear_countsNothing() {
        assertThat(addedBy(Cache::clear)).isEqualTo(NOTHING);
    }

    @Test
    void iterator_countsAHitForEachEntryAndItsRemovals() {
        assertThat(addedBy(c -> c.iterator().next())).isEqualTo(HIT);
        assertThat(addedBy(c -> {
                    Iterator<Cache.Entry<String, String>> entries = c.iterator();
                    entries.next();
                    entries.remove();
                }))
                .isEqualTo(HIT_AND_REMOVAL);
    }

    @Test
    void scan_countsAHitForEachEntryThatItGives() {
        assertThat(addedBy(c -> scanOf(c, entry -> true))).isEqualTo(HIT);
        assertThat(addedBy(c -> scanOf(c, entry -> false))).isEqualTo(NOTHING);
    }

    private static void scanOf(Cache<String, String> cache, Predicate<? super Cache.Entry<String, String>> filter) {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, String> partitioned = cache.unwrap(PartitionedCache.class);
        partitioned.scan(filter, 10, null);
    }

    @Nested
    class Invoke {
        @Test
        void ofAPresentEntry_countsAHitWhateverItDoes() {
            assertThat(invoking("k", entry -> {})).isEqualTo(HIT);
            assertThat(invoking("k", MutableEntry::getValue)).isEqualTo(HIT);
            assertThat(invoking("k", MutableEntry::exists)).isEqualTo(HIT);
        }

        @Test
        void ofAnAbsentEntry_countsAMissWhateverItDoes() {
            assertThat(invoking("absent", entry -> {})).isEqualTo(MISS);
            assertThat(invoking("absent", MutableEntry::getValue)).isEqualTo(MISS);
        }

        @Test
        void thatSets_countsAPut() {
            assertThat(invoking("k", entry -> entry.setValue("w"))).isEqualTo(HIT_AND_PUT);
            assertThat(invoking("absent", entry -> entry.setValue("w"))).isEqualTo(MISS_AND_PUT);
        }

        @Test
        void thatRemoves_countsARemoval() {
            assertThat(invoking("k", MutableEntry::remove)).isEqualTo(HIT_AND_REMOVAL);
        }

        @Test
        void thatSetsAndRemoves_countsTheNetEffect() {
            assertThat(invoking("absent", entry -> {
                        entry.setValue("w");
                        entry.remove();
                    }))
                    .isEqualTo(MISS);
            assertThat(invoking("k", entry -> {
                        entry.remove();
                        entry.setValue("w");
                    }))
                    .isEqualTo(HIT_AND_PUT);
        }

        @Test
        void onSeveralKeys_countsEach() {
            assertThat(addedBy(c -> c.invokeAll(Set.of("k", "absent"), (entry, arguments) -> entry.exists())))
                    .isEqualTo(new Counts(1, 1, 0, 0));
        }

        private Counts invoking(String key, Consumer<MutableEntry<String, String>> action) {
            return addedBy(c -> c.<Boolean>invoke(key, (entry, arguments) -> {
                action.accept(entry);
                return true;
            }));
        }
    }

    @Test
    void percentages_followTheCounts() {
        addedBy(c -> {
            c.get("k");
            c.get("k");
            c.get("k");
            c.get("absent");
        });
        assertThat(statistic("CacheGets")).isEqualTo(4L);
        assertThat(statistic("CacheHitPercentage")).isEqualTo(75f);
        assertThat(statistic("CacheMissPercentage")).isEqualTo(25f);
    }

    @Test
    void unusedCache_hasZeroEverywhere() {
        CacheMBeans.clearStatistics(cache);
        assertThat(statistic("CacheGets")).isEqualTo(0L);
        assertThat(statistic("CacheHitPercentage")).isEqualTo(0f);
        assertThat(statistic("CacheMissPercentage")).isEqualTo(0f);
        assertThat(statistic("CacheEvictions")).isEqualTo(0L);
    }

    @Test
    void averageTimes_areNeverNegative() {
        addedBy(c -> {
            c.getAndPut("k", "w");
            c.getAndRemove("k");
            c.putIfAbsent("k", "v");
            c.get("k");
        });
        for (String attribute : List.of("AverageGetTime", "AveragePutTime", "AverageRemoveTime")) {
            assertThat((float) statistic(attribute)).as(attribute).isGreaterThanOrEqualTo(0f);
        }
    }

    @Test
    void statisticsSwitchedOff_areGoneAndComeBackWhenSwitchedOn() {
        manager.enableStatistics(NAME, false);
        assertThat(CacheMBeans.isRegistered(CacheMBeans.statisticsName(cache))).isFalse();
        cache.get("absent");
        manager.enableStatistics(NAME, true);
        CacheMBeans.clearStatistics(cache);
        cache.get("absent");
        assertThat(statistic("CacheMisses")).isEqualTo(1L);
    }

    private Object statistic(String attribute) {
        return CacheMBeans.attribute(CacheMBeans.statisticsName(cache), attribute);
    }
}

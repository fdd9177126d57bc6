// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.cache.Cache;
import javax.cache.processor.MutableEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each operation adds to the statistics. The entry {@code k=v} is there, {@code absent} is not. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class StatisticsConformance extends JCacheConformance {
    private Cache<String, String> cache;

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

    private void adds(Counts expected, Consumer<Cache<String, String>> operation) {
        cache.clear();
        cache.put("k", "v");
        CacheMBeans.clearStatistics(cache);
        operation.accept(cache);
        assertThat(Counts.of(cache)).isEqualTo(expected);
    }

    @Test
    void reads_countHitsAndMisses() {
        adds(HIT, c -> c.get("k"));
        adds(MISS, c -> c.get("absent"));
        adds(new Counts(1, 2, 0, 0), c -> c.getAll(Set.of("k", "absent", "absent too")));
        adds(NOTHING, c -> c.containsKey("k"));
        adds(NOTHING, c -> c.containsKey("absent"));
        adds(HIT, c -> c.iterator().next());
        adds(HIT, c -> scanOf(c, entry -> true));
        adds(NOTHING, c -> scanOf(c, entry -> false));
    }

    @Test
    void writes_countPuts_andWhatTheyFindIfTheyLook() {
        adds(PUT, c -> c.put("k", "w"));
        adds(PUT, c -> c.put("absent", "w"));
        adds(new Counts(0, 0, 2, 0), c -> c.putAll(Map.of("k", "w", "absent", "w")));
        adds(MISS_AND_PUT, c -> c.putIfAbsent("absent", "w"));
        adds(HIT, c -> c.putIfAbsent("k", "w"));
        adds(HIT_AND_PUT, c -> c.getAndPut("k", "w"));
        adds(MISS_AND_PUT, c -> c.getAndPut("absent", "w"));
        adds(HIT_AND_PUT, c -> c.replace("k", "w"));
        adds(MISS, c -> c.replace("absent", "w"));
        adds(HIT_AND_PUT, c -> c.replace("k", "v", "w"));
        adds(HIT, c -> c.replace("k", "wrong", "w"));
        adds(MISS, c -> c.replace("absent", "v", "w"));
        adds(HIT_AND_PUT, c -> c.getAndReplace("k", "w"));
        adds(MISS, c -> c.getAndReplace("absent", "w"));
    }

    @Test
    void removals_countThoseThatWereThere() {
        adds(REMOVAL, c -> c.remove("k"));
        adds(NOTHING, c -> c.remove("absent"));
        adds(HIT_AND_REMOVAL, c -> c.remove("k", "v"));
        adds(MISS, c -> c.remove("absent", "v"));
        adds(HIT_AND_REMOVAL, c -> c.getAndRemove("k"));
        adds(MISS, c -> c.getAndRemove("absent"));
        adds(REMOVAL, c -> c.removeAll(Set.of("k", "absent")));
        adds(REMOVAL, Cache::removeAll);
        adds(NOTHING, Cache::clear);
        adds(HIT_AND_REMOVAL, c -> {
            Iterator<Cache.Entry<String, String>> entries = c.iterator();
            entries.next();
            entries.remove();
        });
    }

    private static void scanOf(Cache<String, String> cache, Predicate<? super Cache.Entry<String, String>> filter) {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, String> partitioned = cache.unwrap(PartitionedCache.class);
        partitioned.scan(filter, 10, null);
    }

    @Test
    void invoke_countsAHitOrAMiss_andTheNetEffect() {
        addsInvoking(HIT, "k", entry -> {});
        addsInvoking(HIT, "k", MutableEntry::getValue);
        addsInvoking(HIT, "k", MutableEntry::exists);
        addsInvoking(MISS, "absent", entry -> {});
        addsInvoking(MISS, "absent", MutableEntry::getValue);
        addsInvoking(HIT_AND_PUT, "k", entry -> entry.setValue("w"));
        addsInvoking(MISS_AND_PUT, "absent", entry -> entry.setValue("w"));
        addsInvoking(HIT_AND_REMOVAL, "k", MutableEntry::remove);
        addsInvoking(MISS, "absent", entry -> {
            entry.setValue("w");
            entry.remove();
        });
        addsInvoking(HIT_AND_PUT, "k", entry -> {
            entry.remove();
            entry.setValue("w");
        });
        adds(new Counts(1, 1, 0, 0), c -> c.invokeAll(Set.of("k", "absent"), (entry, arguments) -> entry.exists()));
    }

    private void addsInvoking(Counts expected, String key, Consumer<MutableEntry<String, String>> action) {
        adds(
                expected,
                c -> c.<Boolean>invoke(key, (entry, arguments) -> {
                    action.accept(entry);
                    return true;
                }));
    }

    @Test
    void percentages_followTheCounts() {
        adds(new Counts(3, 1, 0, 0), c -> {
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
    void averageTimes_areNeverNegative() {
        adds(new Counts(3, 1, 2, 1), c -> {
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

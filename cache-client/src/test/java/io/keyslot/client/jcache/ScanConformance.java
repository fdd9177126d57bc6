// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedEntry;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Test;

/** The scan over all partitions. */
public abstract class ScanConformance extends JCacheConformance {
    private static final int THOUSANDS = 5_000;
    private static final Comparator<Cache.Entry<String, Integer>> BY_VALUE =
            Comparator.comparing(Cache.Entry::getValue);

    private <K, V> PartitionedCache<K, V> partitioned(MutableConfiguration<K, V> configuration) {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<K, V> cache = create(configuration).unwrap(PartitionedCache.class);
        return cache;
    }

    private PartitionedCache<String, Integer> filled(int count) {
        PartitionedCache<String, Integer> cache = partitioned(numbers());
        Map<String, Integer> entries = new HashMap<>();
        IntStream.range(0, count).forEach(i -> entries.put("key-" + i, i));
        cache.putAll(entries);
        return cache;
    }

    private static List<Integer> valuesOf(ScanResult<String, Integer> result) {
        return result.entries().stream().map(Cache.Entry::getValue).toList();
    }

    @Test
    void scanWithoutALimitThatMatters_givesEachEntryOnce() {
        PartitionedCache<String, Integer> cache = filled(THOUSANDS);

        ScanResult<String, Integer> result = cache.scan(entry -> true, Integer.MAX_VALUE, null);

        assertThat(result.entries()).extracting(Cache.Entry::getKey).doesNotHaveDuplicates();
        assertThat(valuesOf(result))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, THOUSANDS).boxed().toList());
        assertThat(result.truncated()).isFalse();
        assertThat(result.isPartial()).isFalse();
    }

    @Test
    void scanWithAnOrder_givesTheFirstOfAllPartitionsInThatOrder() {
        PartitionedCache<String, Integer> cache = filled(THOUSANDS);

        ScanResult<String, Integer> result = cache.scan(entry -> entry.getValue() % 2 == 0, 5, BY_VALUE.reversed());

        assertThat(valuesOf(result)).containsExactly(4998, 4996, 4994, 4992, 4990);
        assertThat(result.truncated()).isTrue();
    }

    @Test
    void scansOfRandomEntries_giveWhatSortingAllWouldGive() {
        PartitionedCache<String, Integer> cache = filled(500);
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int divisor = 1 + random.nextInt(5);
            int limit = 1 + random.nextInt(200);

            ScanResult<String, Integer> result = cache.scan(entry -> entry.getValue() % divisor == 0, limit, BY_VALUE);

            List<Integer> all = IntStream.range(0, 500)
                    .filter(value -> value % divisor == 0)
                    .boxed()
                    .toList();
            assertThat(valuesOf(result)).as("seed %d", seed).isEqualTo(all.subList(0, Math.min(limit, all.size())));
            assertThat(result.truncated()).as("seed %d", seed).isEqualTo(all.size() > limit);
        }
    }

    @Test
    void scanWithoutAnOrder_endsWhenThereAreEnough() {
        PartitionedCache<String, Integer> cache = filled(THOUSANDS);
        AtomicInteger asked = new AtomicInteger();

        ScanResult<String, Integer> result = cache.scan(entry -> asked.incrementAndGet() > 0, 10, null);

        assertThat(result.entries()).hasSize(10);
        assertThat(result.truncated()).isTrue();
        assertThat(asked).hasValueLessThan(THOUSANDS);
    }

    @Test
    void asManyEntriesAsTheLimit_areNotTruncated() {
        PartitionedCache<String, Integer> cache = filled(10);

        assertThat(cache.scan(entry -> true, 10, null).truncated()).isFalse();
        assertThat(cache.scan(entry -> true, 10, BY_VALUE).truncated()).isFalse();
        assertThat(cache.scan(entry -> true, 9, null).truncated()).isTrue();
    }

    @Test
    void entriesThatStay_areGivenOnceWhileOthersComeAndGo() {
        PartitionedCache<String, Integer> cache = filled(1_000);
        AtomicInteger changes = new AtomicInteger();

        ScanResult<String, Integer> result = cache.scan(
                entry -> {
                    int change = changes.incrementAndGet();
                    cache.remove("comes-" + change / 2);
                    cache.put("comes-" + change, change);
                    return entry.getKey().startsWith("key-");
                },
                Integer.MAX_VALUE,
                null);

        assertThat(result.entries()).hasSize(1_000);
        assertThat(result.entries()).extracting(Cache.Entry::getKey).doesNotHaveDuplicates();
    }

    @Test
    void entriesOfOtherCaches_areNotGiven() {
        PartitionedCache<String, Integer> cache = filled(1);
        manager.createCache(NAME + "2", numbers()).put("other", 1);

        assertThat(cache.scan(entry -> true, 10, null).entries())
                .extracting(Cache.Entry::getKey)
                .containsExactly("key-0");
    }

    @Test
    void expiredEntries_areNotGiven() {
        PartitionedCache<String, Integer> cache = filled(1);
        cache.put("expires", 2, java.time.Duration.ofMillis(30));
        await("expiry of the entry").until(() -> !cache.containsKey("expires"));

        assertThat(cache.scan(entry -> true, 10, null).entries()).hasSize(1);
    }

    @Test
    void entry_knowsWhereItIs() {
        PartitionedCache<String, Integer> cache = filled(1);

        Cache.Entry<String, Integer> entry =
                cache.scan(any -> true, 10, null).entries().get(0);

        PartitionedEntry<?, ?> located = entry.unwrap(PartitionedEntry.class);
        assertThat(located.entityKey()).isEqualTo(cache.explain("key-0").entityKey());
        assertThat(located.stamp()).isEqualTo(cache.explain("key-0").stamp());
    }

    @Test
    void scan_isNoAccess() {
        PartitionedCache<String, String> cache = partitioned(strings()
                .setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 300))));
        cache.put("k", "v");

        await("the entry expires although it is scanned all the time")
                .until(() -> cache.scan(entry -> true, 10, null).entries().isEmpty());
    }

    @Test
    void scan_doesNotLoad() {
        MapLoader<String, String> loader = MapLoader.answering(key -> "loaded");
        PartitionedCache<String, String> cache =
                partitioned(strings().setReadThrough(true).setCacheLoaderFactory(() -> loader));

        assertThat(cache.scan(entry -> true, 10, null).entries()).isEmpty();
        assertThat(loader.takeAsked()).isEmpty();
    }

    @Test
    void failureOfTheFilter_endsTheScanAndIsThrownAsItIs() {
        PartitionedCache<String, Integer> cache = filled(THOUSANDS);
        IllegalStateException failure = new IllegalStateException("of the filter");
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(() -> cache.scan(
                        entry -> {
                            asked.incrementAndGet();
                            throw failure;
                        },
                        10,
                        null))
                .isSameAs(failure);
        assertThat(asked).hasValueLessThan(10);
    }

    @Test
    void failureOfTheOrder_isThrownAsItIs() {
        PartitionedCache<String, Integer> cache = filled(100);
        IllegalStateException failure = new IllegalStateException("of the order");
        Comparator<Cache.Entry<String, Integer>> failing = Comparator.comparingInt(entry -> {
            throw failure;
        });

        assertThatThrownBy(() -> cache.scan(entry -> true, 10, failing)).isSameAs(failure);
        assertThatThrownBy(() -> cache.scanAsync(entry -> true, 10, failing)
                        .toCompletableFuture()
                        .join())
                .hasCause(failure);
    }

    @Test
    void filter_mayUseTheCache() {
        PartitionedCache<String, Integer> cache = filled(200);

        ScanResult<String, Integer> result = Threads.withinTenSeconds(() -> cache.scan(
                entry -> cache.<Boolean>invoke(
                        entry.getKey(),
                        (same, arguments) -> cache.scan(any -> true, 1, null).truncated() && same.exists()),
                Integer.MAX_VALUE,
                null));

        assertThat(result.entries()).hasSize(200);
    }

    @Test
    void scanAsync_givesTheSame() {
        PartitionedCache<String, Integer> cache = filled(100);

        List<ScanResult<String, Integer>> results = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            results.add(cache.scanAsync(entry -> true, 3, BY_VALUE)
                    .toCompletableFuture()
                    .join());
        }

        assertThat(results).allSatisfy(result -> assertThat(valuesOf(result)).containsExactly(0, 1, 2));
    }

    @Test
    void impossibleArguments_areToldAtOnce() {
        PartitionedCache<String, Integer> cache = filled(1);
        ScanOptions options = ScanOptions.defaults();

        for (int limit : new int[] {0, -1}) {
            assertThatThrownBy(() -> cache.scan(entry -> true, limit, null, options))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The limit of a scan is %d, must be at least 1", limit);
            assertThatThrownBy(() -> cache.scanAsync(entry -> true, limit, null, options))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void scanOfAClosedCache_isAnIllegalState() {
        PartitionedCache<String, Integer> cache = filled(1);
        cache.close();

        assertThatThrownBy(() -> cache.scan(entry -> true, 1, null)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cache.scanAsync(entry -> true, 1, null)).isInstanceOf(IllegalStateException.class);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.slot.PartitionId;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What goes over all partitions, of which one is lost, in virtual time. */
class ScanTest {
    private static final PartitionId P2 = new PartitionId("p2");
    private static final int ENTRIES = 3_000;
    private static final ScanOptions PARTIAL =
            ScanOptions.defaults().withMissingPartition(MissingPartitionScanPolicy.PARTIAL);

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults());

    private final PartitionedCache<String, Integer> cache = cache();
    private final Map<String, Integer> entries =
            IntStream.range(0, ENTRIES).boxed().collect(Collectors.toMap(i -> "key-" + i, i -> i));
    private final Set<Integer> ofOthers = new TreeSet<>();

    ScanTest() {
        cache.putAll(entries);
        entries.forEach((key, value) -> {
            if (!cache.explain(key).partition().equals(P2)) {
                ofOthers.add(value);
            }
        });
    }

    private PartitionedCache<String, Integer> cache() {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> created = keyslot.cacheManager()
                .createCache("n", new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class))
                .unwrap(PartitionedCache.class);
        return created;
    }

    private ScanResult<String, Integer> scanOfAll(ScanOptions options) {
        return cache.scan(entry -> true, Integer.MAX_VALUE, null, options);
    }

    private static Set<Integer> valuesOf(ScanResult<String, Integer> result) {
        return result.entries().stream().map(Cache.Entry::getValue).collect(Collectors.toCollection(TreeSet::new));
    }

    @Nested
    class MissingPartition {
        @Test
        void fails_byDefault() {
            keyslot.partition("p2").kill();

            assertThatThrownBy(() -> cache.scan(entry -> true, Integer.MAX_VALUE, null))
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageStartingWith("Cache n: the scan would be incomplete without partitions [p2];")
                    .hasMessageContaining("partition p2 at ")
                    .hasMessageContaining("is missing");
        }

        @Test
        void isNamed_ifThePolicyIsToGoOn() {
            keyslot.partition("p2").kill();

            ScanResult<String, Integer> result = scanOfAll(PARTIAL);

            assertThat(result.missing()).containsOnlyKeys(P2);
            assertThat(result.missing().get(P2)).contains("is missing");
            assertThat(result.isPartial()).isTrue();
            assertThat(valuesOf(result)).isEqualTo(ofOthers);
        }
    }

    @Nested
    class PartitionLostInTheMiddle {
        private final AtomicInteger ofP2 = new AtomicInteger();

        /** Takes p2 away when a page of it was looked at, but not all. */
        private boolean loseP2(Cache.Entry<String, Integer> entry) {
            if (!ofOthers.contains(entry.getValue()) && ofP2.incrementAndGet() == 1) {
                keyslot.partition("p2").kill();
            }
            return true;
        }

        @Test
        void fails_byDefault() {
            assertThatThrownBy(() -> cache.scan(this::loseP2, Integer.MAX_VALUE, null))
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageContaining("without partitions [p2]");
            assertThat(ofP2).hasPositiveValue();
        }

        @Test
        void leavesNothingOfItInTheResult_ifThePolicyIsToGoOn() {
            ScanResult<String, Integer> result = cache.scan(this::loseP2, Integer.MAX_VALUE, null, PARTIAL);

            assertThat(ofP2).hasPositiveValue();
            assertThat(result.missing()).containsOnlyKeys(P2);
            assertThat(valuesOf(result)).isEqualTo(ofOthers);
        }
    }

    @Nested
    class Time {
        @Test
        void partitionThatDoesNotAnswer_isMissing_withinTheTimeOfACall() {
            keyslot.partition("p2").freeze();
            Duration before = keyslot.elapsed();

            ScanResult<String, Integer> result = scanOfAll(PARTIAL);

            assertThat(result.missing()).containsOnlyKeys(P2);
            assertThat(valuesOf(result)).isEqualTo(ofOthers);
            assertThat(keyslot.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
        }

        @Test
        void scanThatTakesTooLong_fails() {
            assertThatThrownBy(() -> cache.scan(
                            this::slowly,
                            Integer.MAX_VALUE,
                            null,
                            ScanOptions.defaults().withAtMost(Duration.ofSeconds(1))))
                    .isInstanceOf(PartitionUnavailableException.class)
                    .hasMessageContaining("the 1000 ms of the scan were over before it was done with partition");
        }

        @Test
        void partitionsThatAreNotDoneInTime_areMissing() {
            ScanResult<String, Integer> result =
                    cache.scan(this::slowly, Integer.MAX_VALUE, null, PARTIAL.withAtMost(Duration.ofSeconds(1)));

            assertThat(result.entries()).isEmpty();
            assertThat(result.missing()).hasSize(3);
            assertThat(keyslot.elapsed()).isLessThan(Duration.ofSeconds(2));
        }

        private boolean slowly(Cache.Entry<String, Integer> entry) {
            keyslot.advance(Duration.ofMillis(10));
            return true;
        }
    }

    @Test
    void partitionsThatAreSlow_areWaitedForAtTheSameTime() {
        keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(20)));
        Duration before = keyslot.elapsed();
        scanOfAll(ScanOptions.defaults());
        Duration all = keyslot.elapsed().minus(before);

        keyslot.partition("p1").slow(Duration.ZERO);
        keyslot.partition("p3").slow(Duration.ZERO);
        before = keyslot.elapsed();
        scanOfAll(ScanOptions.defaults());

        assertThat(all).isLessThan(keyslot.elapsed().minus(before).multipliedBy(2));
    }

    @Test
    void scanWithoutAnOrder_doesNotMissAPartitionThatItDoesNotNeed() {
        keyslot.partition("p2").freeze();

        ScanResult<String, Integer> result = cache.scan(entry -> true, 10, null);

        assertThat(result.entries()).hasSize(10);
        assertThat(result.missing()).isEmpty();
    }

    @Nested
    class InvokeAll {
        @Test
        void partitionsThatAreSlow_areWaitedForAtTheSameTime() {
            Set<String> keys = entries.keySet().stream().limit(30).collect(Collectors.toSet());
            keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(20)));
            Duration before = keyslot.elapsed();

            Map<String, EntryProcessorResult<Integer>> results =
                    cache.invokeAll(keys, (entry, arguments) -> entry.getValue());

            assertThat(results).hasSize(30);
            assertThat(keyslot.elapsed().minus(before)).isLessThan(Duration.ofMillis(20 * 30));
        }

        @Test
        void keysOfAMissingPartition_failAlone() {
            keyslot.partition("p2").kill();

            Map<String, EntryProcessorResult<Integer>> results =
                    cache.invokeAll(entries.keySet(), (entry, arguments) -> entry.getValue());

            assertThat(results).hasSize(ENTRIES);
            entries.forEach((key, value) -> {
                EntryProcessorResult<Integer> result = results.get(key);
                assertThat(result).isNotNull();
                if (ofOthers.contains(value)) {
                    assertThat(result.get()).isEqualTo(value);
                } else {
                    assertThatThrownBy(result::get)
                            .isInstanceOf(EntryProcessorException.class)
                            .hasCauseInstanceOf(PartitionUnavailableException.class);
                }
            });
        }
    }

    @Test
    void bulkCalls_waitForSlowPartitionsAtTheSameTime() {
        keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(50)));
        List<String> keys = entries.keySet().stream().limit(30).toList();
        Duration before = keyslot.elapsed();

        cache.getAll(Set.copyOf(keys));
        cache.putAll(keys.stream().collect(Collectors.toMap(key -> key, entries::get)));
        cache.removeAll(Set.copyOf(keys));

        assertThat(keyslot.elapsed().minus(before)).isEqualTo(Duration.ofMillis(3 * 50));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.MissingPartitionScanPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.ScanOptions;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans of three servers, of which one is killed. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class ScanIT {
    private static final int ENTRIES = 3_000;
    private static final PartitionId P2 = new PartitionId("p2");
    private static final ScanOptions PARTIAL =
            ScanOptions.defaults().withMissingPartition(MissingPartitionScanPolicy.PARTIAL);

    private final Set<Integer> ofP2 = new TreeSet<>();
    private LocalServers servers;
    private LocalServer second;
    private CacheManager manager;
    private PartitionedCache<String, Integer> cache;

    @BeforeEach
    void fill() {
        servers = LocalServers.create();
        List<LocalServer> started = servers.start(3);
        second = started.get(1);
        manager = KeyslotManagers.open(
                "scan", started.stream().map(LocalServer::uri).toList(), KeyslotManagers.LONG_DEADLINES);
        cache = cacheOf(manager);
        Map<String, Integer> entries = new HashMap<>();
        IntStream.range(0, ENTRIES).forEach(i -> entries.put("key-" + i, i));
        cache.putAll(entries);
        entries.forEach((key, value) -> {
            if (cache.explain(key).partition().equals(P2)) {
                ofP2.add(value);
            }
        });
    }

    private static PartitionedCache<String, Integer> cacheOf(CacheManager manager) {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> created = manager.createCache(
                        "scanned", new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class))
                .unwrap(PartitionedCache.class);
        return created;
    }

    @AfterEach
    void close() {
        manager.close();
        servers.close();
    }

    private static Set<Integer> valuesOf(ScanResult<String, Integer> result) {
        return result.entries().stream().map(Cache.Entry::getValue).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<Integer> ofOthers() {
        Set<Integer> others = IntStream.range(0, ENTRIES).boxed().collect(Collectors.toCollection(TreeSet::new));
        others.removeAll(ofP2);
        return others;
    }

    @Test
    void missingServer_failsTheScanOrIsNamedInTheResult() {
        second.kill();

        assertThatThrownBy(() -> cache.scan(entry -> true, Integer.MAX_VALUE, null))
                .isInstanceOf(PartitionUnavailableException.class)
                .hasMessageContaining("without partitions [p2]");
        ScanResult<String, Integer> result = cache.scan(entry -> true, Integer.MAX_VALUE, null, PARTIAL);
        assertThat(result.missing()).containsOnlyKeys(P2);
        assertThat(valuesOf(result)).isEqualTo(ofOthers());
        assertThat(cache.scan(entry -> true, 3, Comparator.comparing(Cache.Entry::getValue), PARTIAL)
                        .entries())
                .extracting(Cache.Entry::getValue)
                .containsExactlyElementsOf(ofOthers().stream().limit(3).toList());
    }

    @Test
    void serverKilledInTheMiddle_leavesNothingOfItInTheResult() {
        AtomicBoolean killed = new AtomicBoolean();

        ScanResult<String, Integer> result = cache.scan(
                entry -> {
                    if (ofP2.contains(entry.getValue()) && killed.compareAndSet(false, true)) {
                        second.kill();
                    }
                    return true;
                },
                Integer.MAX_VALUE,
                null,
                PARTIAL);

        assertThat(killed).isTrue();
        assertThat(result.missing()).containsOnlyKeys(P2);
        assertThat(valuesOf(result)).isEqualTo(ofOthers());
    }

    @Test
    void serverThatIsBack_isScannedAgain() throws Exception {
        second.kill();
        second.restart();

        await("p2 is there again")
                .atMost(Duration.ofSeconds(10))
                .until(() -> !cache.scan(entry -> true, Integer.MAX_VALUE, null, PARTIAL)
                        .isPartial());

        assertThat(valuesOf(cache.scan(entry -> true, Integer.MAX_VALUE, null))).isEqualTo(ofOthers());
    }

    @Test
    void invokeAll_failsForTheKeysOfTheMissingServerOnly() {
        second.kill();
        Set<String> keys = new LinkedHashSet<>();
        IntStream.range(0, 300).forEach(i -> keys.add("key-" + i));

        Map<String, EntryProcessorResult<Integer>> results =
                cache.invokeAll(keys, (entry, arguments) -> entry.getValue());

        Set<Integer> got = new TreeSet<>();
        results.values().forEach(result -> {
            try {
                got.add(result.get());
            } catch (EntryProcessorException e) {
                assertThat(e).hasCauseInstanceOf(PartitionUnavailableException.class);
            }
        });
        assertThat(results.keySet()).containsExactlyElementsOf(keys);
        assertThat(got)
                .isEqualTo(ofOthers().stream().filter(value -> value < 300).collect(Collectors.toSet()));
    }
}

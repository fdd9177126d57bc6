// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is about many entries at once on a cluster, also while slots move. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class ClusterScanIT {
    private static final int ENTRIES = 2_000;
    private static final int SLOTS = 1_500;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private LocalCluster cluster;
    private CacheManager manager;
    private PartitionedCache<String, Integer> cache;
    private final Map<String, Integer> entries = new HashMap<>();

    @BeforeEach
    void fill() {
        cluster = LocalCluster.start(3, 0);
        manager = KeyslotManagers.openCluster("cluster-scan", cluster);
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<String, Integer> created = manager.createCache(
                        "scanned", new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class))
                .unwrap(PartitionedCache.class);
        cache = created;
        IntStream.range(0, ENTRIES).forEach(i -> entries.put("key-" + i, i));
        cache.putAll(entries);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        manager.close();
        cluster.close();
    }

    private Future<?> reshard() {
        List<ClusterNode> primaries = cluster.primaries();
        return threads.submit(() -> {
            cluster.reshard(primaries.get(0), primaries.get(1), SLOTS);
            cluster.reshard(primaries.get(1), primaries.get(2), SLOTS);
        });
    }

    private List<String> keysByIteration() {
        return StreamSupport.stream(cache.spliterator(), false)
                .map(Cache.Entry::getKey)
                .toList();
    }

    @Test
    void iterationsAndScansWhileSlotsMove_findEachEntryOnce() throws Exception {
        Set<String> keys = entries.keySet();
        Future<?> moving = reshard();
        do {
            assertThat(keysByIteration()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(keys);
            assertThat(cache.scan(entry -> true, Integer.MAX_VALUE, null).entries().stream()
                            .map(Cache.Entry::getKey))
                    .doesNotHaveDuplicates()
                    .hasSize(ENTRIES);
        } while (!moving.isDone());
        moving.get(60, TimeUnit.SECONDS);
    }

    @Test
    void clearWhileSlotsMove_leavesNothing() throws Exception {
        Future<?> moving = reshard();
        cache.clear();
        assertThat(cache.getAll(entries.keySet())).isEmpty();
        moving.get(60, TimeUnit.SECONDS);

        assertThat(cache).isEmpty();
        assertThat(cache.getAll(entries.keySet())).isEmpty();
    }

    /** Each group has rows in several states: an index that has moved, rows that have not, and the other way round. */
    @Test
    void rowsOfGroupsWhileSlotsMove_areFoundAllTheTime() throws Exception {
        PartitionedCacheManager groups = manager.unwrap(PartitionedCacheManager.class);
        List<CacheGroup> moved = IntStream.range(0, 10_000)
                .mapToObj(id -> groups.group(EntityKey.of("customer", id)))
                .filter(group -> group.slot() < SLOTS)
                .limit(20)
                .toList();
        Future<?> moving = reshard();
        int written = 0;
        do {
            written++;
            for (CacheGroup group : moved) {
                GroupRows<String> rows = group.rows("row", String.class);
                rows.put("%05d".formatted(written), "r" + written);
                assertThat(rows.ids()).hasSize(written);
                assertThat(rows.values()).hasSize(written);
            }
        } while (!moving.isDone());
        moving.get(60, TimeUnit.SECONDS);
    }
}

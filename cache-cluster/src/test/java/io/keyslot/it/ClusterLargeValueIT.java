// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values in parts on a cluster: the parts of a value are in its slot. */
@SuppressWarnings("NullAway.Init") // set before all tests
@SideBySide
class ClusterLargeValueIT {
    private static final int LARGE = 3 * 1_024 * 1_024;
    private static final int ENTRIES = 12;

    private static LocalCluster cluster;
    private static CacheManager manager;
    private static Cache<String, byte[]> cache;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.start(3, 0);
        manager = KeyslotManagers.openCluster("cluster-large", cluster, Map.of("keyslot.limits.valueBytes", "8MiB"));
        cache = manager.createCache(
                "pictures", new MutableConfiguration<String, byte[]>().setTypes(String.class, byte[].class));
    }

    @AfterAll
    static void end() {
        manager.close();
        cluster.close();
    }

    private static byte[] value(int letter, int size) {
        byte[] value = new byte[size];
        Arrays.fill(value, (byte) letter);
        return value;
    }

    @Test
    void largeAndSmallValues_areStoredReadReplacedAndRemoved() {
        Map<String, byte[]> values = new HashMap<>();
        IntStream.range(0, ENTRIES).forEach(i -> values.put("p" + i, value(i, i % 2 == 0 ? LARGE : 100)));

        cache.putAll(values);

        assertSame(cache.getAll(values.keySet()), values);
        assertThat(cache.putIfAbsent("p0", value(7, LARGE))).isFalse();
        assertThat(cache.getAndPut("p0", value(8, LARGE))).isEqualTo(values.get("p0"));
        assertThat(cache.getAndReplace("p0", value(9, 10))).isEqualTo(value(8, LARGE));
        assertThat(cache.getAndRemove("p2")).isEqualTo(values.get("p2"));
        cache.removeAll(values.keySet());
        assertThat(cluster.primaries())
                .flatExtracting(ClusterLargeValueIT::keys)
                .noneMatch(key -> key.toString().contains("pictures:p"));
    }

    private static List<?> keys(ClusterNode node) {
        return node.ask("KEYS", "*") instanceof List<?> keys ? keys : List.of();
    }

    private static void assertSame(Map<String, byte[]> found, Map<String, byte[]> expected) {
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((key, value) -> assertThat(found.get(key)).as(key).isEqualTo(value));
    }

    @Test
    void largeValuesWhileTheirSlotsMove_areWhole() throws Exception {
        cache.put("moved", value(0, LARGE));
        ClusterNode from = cluster.primaries().get(0);
        ClusterNode to = cluster.primaries().get(1);
        Thread moving = new Thread(() -> {
            cluster.reshard(from, to, 800);
            cluster.reshard(to, from, 800);
        });
        moving.start();
        for (int round = 1; round <= 10 || moving.isAlive(); round++) {
            byte[] next = value(round, LARGE + round);
            cache.put("moved", next);
            assertThat(cache.get("moved")).isEqualTo(next);
        }
        moving.join();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;

/** A provider of its own with one manager of three embedded partitions, one of which can be taken away. */
final class Embedded implements AutoCloseable {
    final KeyslotCachingProvider provider = new KeyslotCachingProvider();
    final PartitionedCacheManager manager;

    Embedded(String... settings) {
        Properties properties = new Properties();
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty(settings[i], settings[i + 1]);
        }
        manager = manager(properties);
    }

    private PartitionedCacheManager manager(Properties properties) {
        return (PartitionedCacheManager) provider.getCacheManager(null, null, properties);
    }

    /** Creates a cache of texts. */
    PartitionedCache<String, String> cache(String name) {
        return cache(name, configuration());
    }

    PartitionedCache<String, String> cache(String name, PartitionedConfiguration<String, String> configuration) {
        return manager.createCache(name, configuration);
    }

    static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    EmbeddedPartition partition(String name) {
        return manager.unwrap(EmbeddedPartitions.class)
                .partition(new PartitionId(name))
                .orElseThrow();
    }

    /** Waits until the partition answers again after its restart. */
    void awaitHealthy(String name) {
        Awaitility.await()
                .until(() -> manager.partitions().stream()
                        .anyMatch(
                                status -> status.id().name().equals(name) && status.state() == PartitionState.HEALTHY));
    }

    /** Returns different keys of the cache that the partition owns. */
    static List<String> keysOf(PartitionedCache<String, String> cache, String partition, int count) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; keys.size() < count; i++) {
            if (cache.explain("key" + i).partition().name().equals(partition)) {
                keys.add("key" + i);
            }
        }
        return keys;
    }

    /** Returns two entries for each of the three partitions, those of p1 first. */
    static Map<String, String> entries(PartitionedCache<String, String> cache) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String partition : List.of("p1", "p2", "p3")) {
            keysOf(cache, partition, 2).forEach(key -> entries.put(key, partition));
        }
        return entries;
    }

    @Override
    public void close() {
        provider.close();
    }
}

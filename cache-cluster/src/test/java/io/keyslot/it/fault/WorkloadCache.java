// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.it.KeyslotManagers;
import java.util.List;
import java.util.Map;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;

/** The cache that all processes of a fault test use. */
final class WorkloadCache {
    static final String NAME = "things";

    private WorkloadCache() {}

    static CacheManager open(String name, List<String> addresses, Map<String, ?> settings) {
        return KeyslotManagers.open(name, addresses, settings);
    }

    /** Creates a cache in front of the database at this port; of none if the port is 0. */
    static PartitionedCache<String, Long> create(CacheManager manager, int databasePort) {
        MutableConfiguration<String, Long> configuration =
                new MutableConfiguration<String, Long>().setTypes(String.class, Long.class);
        if (databasePort != 0) {
            DatabaseClient database = new DatabaseClient(databasePort);
            configuration
                    .setReadThrough(true)
                    .setWriteThrough(true)
                    .setCacheLoaderFactory(() -> database)
                    .setCacheWriterFactory(() -> database);
        }
        @SuppressWarnings("unchecked")
        PartitionedCache<String, Long> cache =
                manager.createCache(NAME, configuration).unwrap(PartitionedCache.class);
        return cache;
    }
}

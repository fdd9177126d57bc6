// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.Clockwork;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AutoClose;

/** The queues of partitions in this process. */
class EmbeddedQueueTest extends QueueContract {
    private final EmbeddedPartitions partitions = partitions();

    @AutoClose
    private final KeyslotCachingProvider provider =
            new KeyslotCachingProvider(new ClientAssembly(Clockwork.ofMachine(), options -> partitions, null));

    private final PartitionedCacheManager manager = open("first");

    private static EmbeddedPartitions partitions() {
        Map<PartitionId, EmbeddedPartition> byId = new LinkedHashMap<>();
        for (int i = 1; i <= 3; i++) {
            PartitionId id = new PartitionId("p" + i);
            byId.put(id, new EmbeddedPartition(id, 1 << 26, System::nanoTime));
        }
        return new EmbeddedPartitions(byId);
    }

    private PartitionedCacheManager open(String name) {
        Properties properties = new Properties();
        properties.putAll(SETTINGS);
        return provider.getCacheManager(URI.create(name), null, properties).unwrap(PartitionedCacheManager.class);
    }

    @Override
    protected PartitionedCacheManager manager() {
        return manager;
    }

    @Override
    protected PartitionedCacheManager another() {
        return open("second");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.CustomerCodec;
import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;

/** Caches of Keyslot that share so many entries: entry {@code n} is in cache {@code n modulo caches}. */
final class ManyEntries implements AutoCloseable {
    private static final int FILLED_AT_ONCE = 1_000;

    private final CacheManager manager;
    private final List<Cache<Long, Customer>> caches;

    /**
     * Opens and fills them.
     *
     * @param name of their manager: those of one process have different ones
     * @param partitions addresses of servers, or the number of partitions in this process
     */
    ManyEntries(String name, String partitions, int caches, int entries) {
        manager = KeyslotProvider.open(name, partitions);
        this.caches = IntStream.range(0, caches)
                .mapToObj(number -> manager.createCache("customer" + number, configuration()))
                .toList();
        fill(entries);
    }

    private static PartitionedConfiguration<Long, Customer> configuration() {
        PartitionedConfiguration<Long, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setCodecFactory(CustomerCodec::new);
        configuration.setTypes(Long.class, Customer.class);
        return configuration;
    }

    private void fill(int entries) {
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        for (int cache = 0; cache < caches.size(); cache++) {
            Map<Long, Customer> batch = new HashMap<>();
            for (int entry = cache; entry < entries; entry += caches.size()) {
                batch.put((long) entry, samples.get(entry % samples.size()).customer());
                if (batch.size() == FILLED_AT_ONCE) {
                    caches.get(cache).putAll(batch);
                    batch.clear();
                }
            }
            caches.get(cache).putAll(batch);
        }
    }

    Customer get(int entry) {
        return caches.get(entry % caches.size()).get((long) entry);
    }

    @Override
    public void close() {
        manager.close();
    }
}

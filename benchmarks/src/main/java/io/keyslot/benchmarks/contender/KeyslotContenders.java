// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.cache.PartitionedConfiguration;
import java.net.URI;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;

/** Opens Keyslot by its provider, as an application does. */
final class KeyslotContenders {
    private static final String PROVIDER = "io.keyslot.client.jcache.KeyslotCachingProvider";
    private static final String EMBEDDED_PARTITIONS = "3";

    private KeyslotContenders() {}

    static Contender instances(Conditions conditions) {
        return open(conditions, conditions.servers().stream().map(URI::toString).collect(Collectors.joining(",")));
    }

    static Contender embedded(Conditions conditions) {
        return open(conditions, EMBEDDED_PARTITIONS);
    }

    private static Contender open(Conditions conditions, String partitions) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", partitions);
        // The first calls of a JVM are slow, and 64 threads on a few processors wait for each other.
        properties.setProperty("keyslot.deadlines.call", "10s");
        properties.setProperty("keyslot.deadlines.command", "5s");
        // All values of 8 KiB are to stay.
        properties.setProperty("keyslot.embedded.maximumSize", "1GiB");
        CacheManager manager = Caching.getCachingProvider(PROVIDER)
                .getCacheManager(URI.create("benchmark"), KeyslotContenders.class.getClassLoader(), properties);
        PartitionedConfiguration<Long, Customer> configuration = new PartitionedConfiguration<>();
        configuration.setCodecFactory(CustomerCodec::new);
        configuration.setTypes(Long.class, Customer.class);
        configuration.setExpiryPolicyFactory(conditions.lifetime().policy());
        Cache<Long, Customer> cache = manager.createCache("customer", configuration);
        return new JCacheContender(manager, cache);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.cache.PartitionedCacheManager;
import java.net.URI;
import java.util.Map;
import java.util.Properties;
import javax.cache.Caching;

/** Opens Keyslot by name, because several JCache providers are on the class path. */
public final class KeyslotProvider {
    private static final String PROVIDER = "io.keyslot.client.jcache.KeyslotCachingProvider";

    private KeyslotProvider() {}

    /** Opens a manager. {@code partitions} are addresses of servers, or the number of embedded partitions. */
    public static PartitionedCacheManager open(String name, String partitions) {
        return open(name, partitions, Map.of());
    }

    /**
     * Opens a manager with the required settings only. {@code allowed} are the comma-separated names of classes that
     * values of untyped caches may have.
     */
    static PartitionedCacheManager openByDefault(String name, String partitions, String allowed) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", partitions);
        properties.setProperty("keyslot.codec.allow", allowed);
        return open(name, properties);
    }

    /** Opens a manager with settings that override those of all benchmarks. */
    public static PartitionedCacheManager open(String name, String partitions, Map<String, String> settings) {
        Properties properties = new Properties();
        // Like the competitors, even if Micrometer is on the class path.
        properties.setProperty("keyslot.metrics", "false");
        properties.setProperty("keyslot.partitions", partitions);
        // The first calls of a JVM are slow, and 64 threads on a few processors wait for each other.
        properties.setProperty("keyslot.deadlines.call", "10s");
        properties.setProperty("keyslot.deadlines.command", "5s");
        // Prevents eviction and reports of large groups.
        properties.setProperty("keyslot.embedded.maximumSize", "1GiB");
        properties.setProperty("keyslot.groups.entries", "1000000");
        properties.putAll(settings);
        return open(name, properties);
    }

    private static PartitionedCacheManager open(String name, Properties properties) {
        return (PartitionedCacheManager) Caching.getCachingProvider(PROVIDER)
                .getCacheManager(URI.create(name), KeyslotProvider.class.getClassLoader(), properties);
    }
}

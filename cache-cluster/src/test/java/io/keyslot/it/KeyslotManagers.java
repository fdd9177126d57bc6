// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cluster.local.LocalCluster;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.spi.CachingProvider;

/** Cache managers as an application makes them, each with a URI of its own. */
public final class KeyslotManagers {
    /** For tests that are not about time: a machine that builds is slow at times. */
    public static final Map<String, String> LONG_DEADLINES = Map.of(
            "keyslot.startup.wait",
            "10s",
            "keyslot.deadlines.connect",
            "5s",
            "keyslot.deadlines.call",
            "5s",
            "keyslot.deadlines.command",
            "4s");

    private KeyslotManagers() {}

    /** As {@link #open}, for tests that are not about time. */
    public static CacheManager openPatiently(String name, List<String> addresses, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(LONG_DEADLINES);
        all.putAll(settings);
        return open(name, addresses, all);
    }

    public static CacheManager openPatiently(String name, List<String> addresses) {
        return openPatiently(name, addresses, Map.of());
    }

    /** Opens a manager of a cluster, for tests that are not about time. */
    public static CacheManager openCluster(String name, LocalCluster cluster, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("keyslot.engine", "cluster");
        return openPatiently(name, cluster.uris(), all);
    }

    public static CacheManager openCluster(String name, LocalCluster cluster) {
        return openCluster(name, cluster, Map.of());
    }

    /** Opens a manager of these servers; what the tests of this package store is allowed. */
    public static CacheManager open(String name, List<String> addresses, Map<String, ?> settings) {
        return open(Caching.getCachingProvider(), name, addresses, settings);
    }

    /** As above, by another provider than that of the class path. */
    public static CacheManager open(
            CachingProvider provider, String name, List<String> addresses, Map<String, ?> settings) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        properties.setProperty("keyslot.codec.allow", "io.keyslot.it.**");
        properties.putAll(settings);
        return provider.getCacheManager(URI.create(name), KeyslotManagers.class.getClassLoader(), properties);
    }

    /** As {@link #openMapped}, with the deadlines of the settings. */
    public static CacheManager openPartitions(String name, Map<String, ?> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        return Caching.getCachingProvider()
                .getCacheManager(URI.create(name), KeyslotManagers.class.getClassLoader(), properties);
    }

    /** Opens a manager whose partitions are among the settings, for tests that are not about time. */
    static CacheManager openMapped(String name, Map<String, ?> settings) {
        Properties properties = new Properties();
        properties.putAll(LONG_DEADLINES);
        properties.putAll(settings);
        return Caching.getCachingProvider()
                .getCacheManager(URI.create(name), KeyslotManagers.class.getClassLoader(), properties);
    }
}

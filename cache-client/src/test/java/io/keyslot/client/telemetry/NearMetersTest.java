// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NearMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @AfterEach
    void close() {
        provider.close();
    }

    /** Returns a cache whose statistics count as well. */
    private Cache<String, String> cache() {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, registry);
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setNear(NearOptions.ofEntries(100))
                .setStatisticsEnabled(true);
        return provider.getCacheManager(URI.create("near"), NearMetersTest.class.getClassLoader(), properties)
                .createCache("customer", configuration);
    }

    private double counted(String name) {
        return registry.get(name).tag("cache", "customer").functionCounter().count();
    }

    private double ended(NearEnd cause) {
        return registry.get(nameOf(cause))
                .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                .counter()
                .count();
    }

    private static String nameOf(NearEnd cause) {
        return cause.isInvalidation() ? "keyslot.near.invalidations" : "keyslot.near.dropped";
    }

    @Test
    void readsOfANearCache_areCountedHereAndAsReadsOfTheCache() {
        Cache<String, String> cache = cache();
        cache.put("a", "1");

        cache.get("a");
        cache.get("a");
        cache.getAll(Set.of("a", "b"));

        assertThat(counted("keyslot.near.hits")).isEqualTo(2);
        assertThat(counted("keyslot.near.misses")).isEqualTo(2);
        assertThat(registry.get("cache.gets")
                        .tag("result", "hit")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
        assertThat(registry.get("cache.gets")
                        .tag("result", "miss")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void changeOfAnEntry_isCountedIfItHadACopy() {
        Cache<String, String> cache = cache();
        cache.put("a", "1");
        cache.get("a");

        cache.put("a", "2");
        cache.put("a", "3");

        assertThat(Arrays.stream(NearEnd.values()).mapToDouble(this::ended).sum())
                .isEqualTo(1);
        assertThat(ended(NearEnd.OWN_CHANGE) + ended(NearEnd.TOLD)).isEqualTo(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HotMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @AfterEach
    void close() {
        provider.close();
    }

    private Cache<String, String> cache() {
        Properties properties = new Properties();
        properties.put(MetersSelection.REGISTRY_PROPERTY, registry);
        return provider.getCacheManager(URI.create("hot"), HotMetersTest.class.getClassLoader(), properties)
                .createCache("customer", new PartitionedConfiguration<String, String>());
    }

    private double shown(String name) {
        return registry.get(name).tag("cache", "customer").gauge().value();
    }

    @Test
    void shareOfTheHottestKey_andHowManyAreHot_areShown_andNoKey() {
        Cache<String, String> cache = cache();
        for (int i = 0; i < 60; i++) {
            cache.get("hottest");
            cache.get("hot" + i % 4);
            cache.get("cold" + i);
        }

        assertThat(shown("keyslot.hot.share")).isCloseTo(1 / 3.0, within(0.01));
        assertThat(shown("keyslot.hot.keys")).isEqualTo(5);
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("hottest"));
    }

    @Test
    void metersOfAClosedCache_areGone() {
        Cache<String, String> cache = cache();
        List<String> names = List.of("keyslot.hot.share", "keyslot.hot.keys");
        assertThat(names).allMatch(name -> registry.find(name).meter() != null);

        cache.close();

        assertThat(names).noneMatch(name -> registry.find(name).meter() != null);
    }
}

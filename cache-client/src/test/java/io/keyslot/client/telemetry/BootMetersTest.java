// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.JCacheMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The meters of an application in which Spring Boot measures the caches as well. */
class BootMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();

    @AfterEach
    void close() {
        provider.close();
        registry.close();
    }

    @Test
    void ofTheOnlyManager_areThoseThatBootRegisters() {
        Cache<String, String> books = books(null);
        Set<String> ours = ids(registry);
        bindAsBoot(books);
        Set<String> added = ids(registry);
        added.removeAll(ours);
        books.put("a", "1");
        books.get("a");

        // Of ours there are none: what partitions evict is not told for each cache.
        assertThat(added).allMatch(id -> id.startsWith("cache.evictions"));
        assertThat(registry.get("cache.gets").tag("result", "hit").functionCounters())
                .singleElement()
                .satisfies(counter -> assertThat(counter.count()).isEqualTo(1));
    }

    @Test
    void haveTheTagsAndTheKindOfBoots_whateverTheManagerIsCalled() {
        Cache<String, String> books = books(URI.create("stock"));
        SimpleMeterRegistry boots = new SimpleMeterRegistry();
        asBoot(books, "x").bindTo(boots);
        Set<String> common = shapes(boots);
        boots.close();

        common.removeIf(shape -> shape.startsWith("cache.evictions"));
        assertThat(shapes(registry)).containsAll(common);
    }

    private Cache<String, String> books(@Nullable URI uri) {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, registry);
        CacheManager manager = provider.getCacheManager(uri, null, properties);
        return manager.createCache("books", new MutableConfiguration<String, String>());
    }

    private void bindAsBoot(Cache<String, String> cache) {
        asBoot(cache, "cacheManager").bindTo(registry);
    }

    /** As Boot's JCacheCacheMeterBinderProvider does in 3.5 and 4.1: removals are a gauge. */
    private static JCacheMetrics<String, String, Cache<String, String>> asBoot(
            Cache<String, String> cache, String manager) {
        return new JCacheMetrics<>(cache, Tags.of("cache.manager", manager, "name", cache.getName()), false);
    }

    private static Set<String> ids(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName() + meter.getId().getTags())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a registry such as that of Prometheus wants to be the same for all meters of one name. */
    private static Set<String> shapes(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName()
                        + id.getType()
                        + id.getTags().stream().map(Tag::getKey).toList())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.CacheCounts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import java.net.URI;
import java.util.List;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one cache, with Micrometer's names for caches, and the tags and kinds that Spring Boot uses for JCache,
 * so that both fit into a registry such as Prometheus, and Boot finds existing meters.
 */
final class CacheMeters extends CacheMeterBinder<Cache<?, ?>> {
    private static final String PREFIX = "cache.";
    private static final String MANAGER = "cache.manager";

    /** Spring Boot's name for the only cache manager of an application. */
    private static final String ONLY_MANAGER = "cacheManager";

    private final CacheCounts counts;

    CacheMeters(Cache<?, ?> cache, String manager, CacheCounts counts) {
        super(cache, cache.getName(), tags(cache, manager));
        this.counts = counts;
    }

    private static Tags tags(Cache<?, ?> cache, String manager) {
        return Tags.of(MANAGER, manager, "name", cache.getName());
    }

    /** Returns the application's name of the manager, or Spring Boot's name for the only one, if not taken. */
    static String managerTag(Cache<?, ?> cache, String name, MeterRegistry registry) {
        URI uri = cache.getCacheManager().getURI();
        boolean isNamed = uri.getScheme() == null
                && !uri.equals(cache.getCacheManager().getCachingProvider().getDefaultURI());
        boolean isTaken = registry.find(PREFIX + "puts")
                        .tags(tags(cache, ONLY_MANAGER).and("cache", cache.getName()))
                        .meter()
                != null;
        return isNamed || isTaken ? name : ONLY_MANAGER;
    }

    /** Returns null: counting the entries of all partitions would require a scan. */
    @Override
    protected @Nullable Long size() {
        return null;
    }

    @Override
    protected long hitCount() {
        return counts.hits();
    }

    @Override
    protected Long missCount() {
        return counts.misses();
    }

    /** Returns null: partitions evict entries, and do not report for which cache. */
    @Override
    protected @Nullable Long evictionCount() {
        return null;
    }

    @Override
    protected long putCount() {
        return counts.puts();
    }

    @Override
    protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
        Gauge.builder("cache.removals", counts, CacheCounts::removals)
                .description("Entries removed by the application")
                .tags(getTagsWithCacheName())
                .register(registry);
    }

    void removeFrom(MeterRegistry registry) {
        List<Tag> tags = Tags.of(getTagsWithCacheName()).stream().toList();
        List<Meter> meters = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .filter(meter -> meter.getId().getTags().containsAll(tags))
                .toList();
        meters.forEach(registry::remove);
    }
}

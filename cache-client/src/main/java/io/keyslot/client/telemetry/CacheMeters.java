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
 * The meters of one cache, under the names that Micrometer gives to every cache, and with the tags and kinds that Spring
 * Boot gives to those of a JCache cache. A registry that refuses other tags under the same name, such as that of
 * Prometheus, takes both; and where Boot registers a cache that is measured here, it finds that these meters exist.
 */
final class CacheMeters extends CacheMeterBinder<Cache<?, ?>> {
    private static final String PREFIX = "cache.";
    private static final String MANAGER = "cache.manager";

    /** What Spring Boot calls the only cache manager of an application. */
    private static final String ONLY_MANAGER = "cacheManager";

    private final CacheCounts counts;

    /** @param manager the tag that tells the cache from one of the same name of another manager */
    CacheMeters(Cache<?, ?> cache, String manager, CacheCounts counts) {
        super(cache, cache.getName(), tags(cache, manager));
        this.counts = counts;
    }

    private static Tags tags(Cache<?, ?> cache, String manager) {
        return Tags.of(MANAGER, manager, "name", cache.getName());
    }

    /**
     * Returns the tag for a cache's manager: its name if the application has given it one, else what Spring Boot calls
     * the only one, unless another manager has a cache of this name there.
     */
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

    /** Returns null: counting the entries of all partitions would be a scan. */
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

    /** Returns null: the partitions evict, and do not tell for which cache. */
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

    /** Removes what was registered for this cache. */
    void removeFrom(MeterRegistry registry) {
        List<Tag> tags = Tags.of(getTagsWithCacheName()).stream().toList();
        List<Meter> meters = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .filter(meter -> meter.getId().getTags().containsAll(tags))
                .toList();
        meters.forEach(registry::remove);
    }
}

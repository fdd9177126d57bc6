// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import java.util.List;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** The meters of one cache, under the names that Micrometer gives to every cache. */
final class CacheMeters extends CacheMeterBinder<Cache<?, ?>> {
    private static final String PREFIX = "cache.";

    private final CacheCounts counts;

    CacheMeters(Cache<?, ?> cache, CacheCounts counts) {
        super(
                cache,
                cache.getName(),
                Tags.of("cache.manager", cache.getCacheManager().getURI().toString()));
        this.counts = counts;
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
        FunctionCounter.builder("cache.removals", counts, CacheCounts::removals)
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

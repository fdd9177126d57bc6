// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics;

import io.keyslot.client.statistics.HotCounts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The meters of the keys of one cache that are read most; none of them says which. Safe for use by several threads. */
final class HotMeters implements MeterBinder {
    private final Tags tags;
    private final HotCounts counts;
    private final List<Meter> meters = new ArrayList<>(); // guarded by itself

    HotMeters(Tag manager, String cacheName, HotCounts counts) {
        this.tags = Tags.of(manager, Tag.of("cache", cacheName));
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        synchronized (meters) {
            meters.add(gauge(
                    registry,
                    "keyslot.hot.share",
                    "Part of this process's reads of the last minute that the most read key has, from 0 to 1",
                    HotCounts::hottestShare));
            meters.add(gauge(
                    registry,
                    "keyslot.hot.keys",
                    "Keys that this process reads so often that a near copy pays",
                    HotCounts::hotKeys));
        }
    }

    private Gauge gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<HotCounts> value) {
        return Gauge.builder(name, counts, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** Removes what was registered. */
    void removeFrom(MeterRegistry registry) {
        synchronized (meters) {
            meters.forEach(registry::remove);
            meters.clear();
        }
    }
}

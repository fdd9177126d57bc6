// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.WriteBehindCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The meters of the write-behind queue of one cache. Safe for use by several threads. */
final class WriteBehindMeters implements MeterBinder {
    private final Tags tags;
    private final WriteBehindCounts counts;
    private final List<Meter> meters = new ArrayList<>(); // guarded by itself

    WriteBehindMeters(Tag manager, String cacheName, WriteBehindCounts counts) {
        this.tags = Tags.of(manager, Tag.of("cache", cacheName));
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        synchronized (meters) {
            meters.add(Gauge.builder("keyslot.writebehind.queue", counts, WriteBehindCounts::queued)
                    .description("Keys whose changes wait for the cache writer")
                    .tags(tags)
                    .register(registry));
            meters.add(counter(
                    registry,
                    "keyslot.writebehind.written",
                    "Changes that the cache writer has written",
                    WriteBehindCounts::written));
            meters.add(counter(
                    registry,
                    "keyslot.writebehind.retried",
                    "Attempts to write a change that failed and are repeated",
                    WriteBehindCounts::retried));
            meters.add(counter(
                    registry, "keyslot.writebehind.dropped", "Changes that are lost", WriteBehindCounts::dropped));
        }
    }

    private FunctionCounter counter(
            MeterRegistry registry, String name, String description, ToDoubleFunction<WriteBehindCounts> count) {
        return FunctionCounter.builder(name, counts, count)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    void removeFrom(MeterRegistry registry) {
        synchronized (meters) {
            meters.forEach(registry::remove);
            meters.clear();
        }
    }
}

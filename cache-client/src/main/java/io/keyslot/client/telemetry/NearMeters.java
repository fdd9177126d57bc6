// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.client.entry.NearCounts;
import io.keyslot.client.entry.NearObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of the near cache of one cache. Those that are updated by reads are registered in the constructor. */
final class NearMeters implements NearObserver {
    /**
     * The bounds of the histogram: near entries are milliseconds old while invalidations arrive, else up to a minute.
     */
    private static final Duration[] AGES = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1)
    };

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<NearEnd, Counter> ends = new EnumMap<>(NearEnd.class);
    private final Timer ages;
    private final List<Meter> meters = new ArrayList<>(); // guarded by itself

    NearMeters(MeterRegistry registry, Tag manager, String cacheName) {
        this.registry = registry;
        this.tags = Tags.of(manager, Tag.of("cache", cacheName));
        for (NearEnd end : NearEnd.values()) {
            ends.put(end, kept(counterOf(end)));
        }
        this.ages = kept(Timer.builder("keyslot.near.age")
                .description("How old copies were at most when they were served, of a part of the hits")
                .serviceLevelObjectives(AGES)
                .tags(tags)
                .register(registry));
    }

    private Counter counterOf(NearEnd end) {
        Counter.Builder builder = end.isInvalidation()
                ? Counter.builder("keyslot.near.invalidations").description("Copies whose entry was changed")
                : Counter.builder("keyslot.near.dropped").description("Copies that could not be served any more");
        return builder.tags(tags)
                .tag("cause", end.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Registers the meters that read counts. */
    void show(NearCounts counts) {
        count("keyslot.near.hits", "Reads that a copy has answered", counts, NearCounts::hits);
        count("keyslot.near.misses", "Reads that no copy has answered", counts, NearCounts::misses);
        gauge("keyslot.near.entries", "Copies", counts, NearCounts::entries);
        gauge("keyslot.near.bytes", "About how many bytes the copies take", counts, NearCounts::bytes);
    }

    private void count(String name, String description, NearCounts counts, ToDoubleFunction<NearCounts> count) {
        kept(FunctionCounter.builder(name, counts, count)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void gauge(String name, String description, NearCounts counts, ToDoubleFunction<NearCounts> value) {
        kept(Gauge.builder(name, counts, value)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private <M extends Meter> M kept(M meter) {
        synchronized (meters) {
            meters.add(meter);
        }
        return meter;
    }

    @Override
    public void onServed(long ageNanos) {
        ages.record(ageNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onEnded(NearEnd cause, long copies) {
        Counter counter = ends.get(cause);
        if (counter != null) {
            counter.increment((double) copies);
        }
    }

    void remove() {
        synchronized (meters) {
            meters.forEach(registry::remove);
            meters.clear();
        }
    }
}

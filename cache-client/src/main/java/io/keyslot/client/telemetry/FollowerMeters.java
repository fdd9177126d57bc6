// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.client.entry.FollowerObserver;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The meters of the replicas that are read. Safe for use by several threads. */
final class FollowerMeters implements FollowerObserver {
    private final MeterRegistry registry;
    private final Tag manager;
    private final Map<Follower, List<Meter>> meters = new HashMap<>(); // guarded by itself

    FollowerMeters(MeterRegistry registry, Tag manager) {
        this.registry = registry;
        this.manager = manager;
    }

    @Override
    public void onOpened(Follower follower) {
        synchronized (meters) {
            meters.put(
                    follower,
                    List.of(
                            gauge(
                                    "keyslot.replica.age",
                                    "How old what a replica has is at most",
                                    follower,
                                    Follower::ageNanos),
                            gauge(
                                    "keyslot.replica.round.trip",
                                    "How long a replica takes to answer, on the average of its last answers",
                                    follower,
                                    Follower::roundTripNanos)));
        }
    }

    private Meter gauge(String name, String description, Follower follower, Function<Follower, OptionalLong> nanos) {
        return TimeGauge.builder(name, follower, TimeUnit.NANOSECONDS, shown -> {
                    OptionalLong known = nanos.apply(shown);
                    return known.isPresent() ? known.getAsLong() : Double.NaN;
                })
                .description(description)
                .tags(Tags.of(
                        manager,
                        Tag.of("partition", follower.partition().name()),
                        Tag.of("replica", follower.address())))
                .register(registry);
    }

    @Override
    public void onClosed(Follower follower) {
        synchronized (meters) {
            List<Meter> known = meters.remove(follower);
            if (known != null) {
                known.forEach(registry::remove);
            }
        }
    }

    void remove() {
        synchronized (meters) {
            meters.values().forEach(known -> known.forEach(registry::remove));
            meters.clear();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.client.entry.ReplicaObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of a cache that is read from replicas, registered in the constructor. Safe for use by several threads. */
final class ReplicaMeters implements ReplicaObserver {
    private final MeterRegistry registry;
    private final Map<ReplicaAnswer, Counter> answers = new EnumMap<>(ReplicaAnswer.class);

    ReplicaMeters(MeterRegistry registry, Tag manager, String cacheName) {
        this.registry = registry;
        Tags tags = Tags.of(manager, Tag.of("cache", cacheName));
        for (ReplicaAnswer answer : ReplicaAnswer.values()) {
            answers.put(
                    answer,
                    Counter.builder("keyslot.replica.reads")
                            .description("Entries that were read, by who was to answer and why")
                            .tags(tags)
                            .tag("server", answer == ReplicaAnswer.REPLICA ? "replica" : "primary")
                            .tag("reason", answer.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    @Override
    public void onRead(ReplicaAnswer answer, int entries) {
        Counter counter = answers.get(answer);
        if (counter != null) {
            counter.increment(entries);
        }
    }

    void remove() {
        answers.values().forEach(registry::remove);
    }
}

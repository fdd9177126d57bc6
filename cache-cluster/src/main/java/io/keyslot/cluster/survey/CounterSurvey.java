// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficCommand.Counters;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the partitions count by themselves, from one look to the next. Changes nothing. For one thread. */
public final class CounterSurvey implements AutoCloseable {
    private final OpenCatalogue catalogue;
    private final Instances instances;
    private final Map<PartitionId, Look> last = new HashMap<>();

    private record Look(Counters counters, long nanos) {}

    public CounterSurvey(OpenCatalogue catalogue) {
        this.catalogue = catalogue;
        this.instances = new Instances(catalogue);
    }

    /**
     * Returns what was counted since the look before, of each partition that told it both times.
     *
     * @param notes for what is not known
     */
    public Map<PartitionId, CounterRates> look(List<String> notes) {
        Map<PartitionId, CounterRates> rates = new LinkedHashMap<>();
        for (MappedPartition partition : catalogue.newest().askedPartitions()) {
            Look before = last.remove(partition.name());
            ask(partition, notes).ifPresent(now -> {
                last.put(partition.name(), now);
                if (before != null) {
                    CounterRates.between(before.counters(), now.counters(), apart(before, now))
                            .ifPresent(rate -> rates.put(partition.name(), rate));
                }
            });
        }
        return rates;
    }

    private static Duration apart(Look before, Look now) {
        return Duration.ofNanos(now.nanos() - before.nanos());
    }

    private Optional<Look> ask(MappedPartition partition, List<String> notes) {
        try {
            Optional<Counters> counters = instances.ask(partition, new TrafficCommand.ReadCounters());
            if (counters.isEmpty()) {
                notes.add("%s does not tell what it counts".formatted(partition.name()));
            }
            return counters.map(told -> new Look(told, catalogue.time().nanos()));
        } catch (SilentException e) {
            notes.add("what a partition counts is not known: " + e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        instances.close();
    }
}

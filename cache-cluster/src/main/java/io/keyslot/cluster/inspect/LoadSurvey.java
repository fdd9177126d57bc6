// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the reports of clients and the stored keys from partitions. Changes nothing. For one use. */
public final class LoadSurvey {
    private final PartitionMap map;
    private final long mostKeys;
    private final ReportedTraffic reported = new ReportedTraffic();
    private final Map<Integer, SlotLoad> slots = new HashMap<>();
    private final List<NamedLoad> named = new ArrayList<>();
    private final Map<PartitionId, PlanFacts.Memory> memory = new HashMap<>();
    private final Set<PartitionId> haveReports = new HashSet<>();
    private final Set<PartitionId> haveKeys = new HashSet<>();
    private final List<String> remarks = new ArrayList<>();

    private LoadSurvey(PartitionMap map, long mostKeys) {
        this.map = map;
        this.mostKeys = mostKeys;
    }

    /** Surveys all partitions of the newest map, with about {@code mostKeys} keys of each, or none if 0. */
    public static SurveyedLoad look(OpenCatalogue catalogue, long mostKeys) {
        LoadSurvey survey = new LoadSurvey(catalogue.newest(), mostKeys);
        try (Instances instances = new Instances(catalogue)) {
            survey.map.askedPartitions().forEach(partition -> survey.ask(instances, partition));
        }
        return survey.load();
    }

    private SurveyedLoad load() {
        reported.slots().forEach((slot, load) -> slots.merge(slot, load, SlotLoad::plus));
        named.addAll(reported.named());
        if (reported.clients() == 0) {
            remarks.add("no client has reported in the last %d minutes: calls are not known (trafficReports)"
                    .formatted(ReportedTraffic.OLDEST_MILLIS / 60_000));
        }
        if (reported.unnamedCalls() > 0) {
            remarks.add("%d calls a minute are of slots that are not named in the reports, and are left out"
                    .formatted(reported.unnamedCalls()));
        }
        return new SurveyedLoad(
                map, slots, named, memory, new SurveyedLoad.Known(haveReports, haveKeys), reported.clients(), remarks);
    }

    private void ask(Instances instances, MappedPartition partition) {
        PartitionId id = partition.name();
        try {
            TrafficCommand.Reports reports = instances.ask(partition, new TrafficCommand.ReadReports());
            reported.add(reports.all());
            haveReports.add(id);
            if (!reports.isComplete()) {
                remarks.add("%s has not the reports of all clients".formatted(id));
            }
        } catch (SilentException e) {
            remarks.add("the reports of clients are not known: " + e.getMessage());
        }
        if (mostKeys > 0) {
            askWhatIsStored(instances, partition);
        }
    }

    private void askWhatIsStored(Instances instances, MappedPartition partition) {
        PartitionId id = partition.name();
        try {
            SlotTransfer.MemoryUse used = instances.ask(partition, new SlotTransfer.Memory());
            memory.put(id, new PlanFacts.Memory(used.usedBytes(), used.mostBytes()));
            StoredKeys stored = StoredKeys.of(instances, map, partition, mostKeys);
            stored.slots(used.keys()).forEach((slot, load) -> slots.merge(slot, load, SlotLoad::plus));
            stored.named().forEach(named::add);
            haveKeys.add(id);
            if (!stored.isComplete()) {
                remarks.add("keys and bytes of %s are estimated by %d of %d keys; those of groups are what was seen"
                        .formatted(id, stored.seen(), used.keys()));
            }
        } catch (SilentException e) {
            remarks.add("the keys of a partition are not known: " + e.getMessage());
        }
    }
}

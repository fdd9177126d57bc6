// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Asks the partitions of a map, one after the other, what clients have told them and what they store. What one does not answer
 * is a remark; nothing is changed. For one use.
 */
public final class LoadSurvey {
    /** Of so many keys of each partition a sample is good. */
    public static final long KEYS = 100_000;

    private final PartitionMap map;
    private final Function<PartitionId, PartitionConnector> connectors;
    private final MoveTime time;
    private final long mostKeys;
    private final ReportedTraffic reported = new ReportedTraffic();
    private final Map<Integer, SlotUse> slots = new HashMap<>();
    private final Map<PartitionId, PlanFacts.Memory> memory = new HashMap<>();
    private final Set<PartitionId> haveReports = new HashSet<>();
    private final Set<PartitionId> haveKeys = new HashSet<>();
    private final List<String> remarks = new ArrayList<>();

    /**
     * @param connectors ways to partitions, which are closed here
     * @param mostKeys about how many keys of each partition are looked at; none if 0
     */
    public LoadSurvey(
            PartitionMap map, Function<PartitionId, PartitionConnector> connectors, MoveTime time, long mostKeys) {
        this.map = map;
        this.connectors = connectors;
        this.time = time;
        this.mostKeys = mostKeys;
    }

    /** Asks all. */
    public SurveyedLoad ask() {
        map.partitions().stream()
                .filter(MappedPartition::isAsked)
                .map(MappedPartition::name)
                .forEach(this::ask);
        reported.slots().forEach((slot, use) -> slots.merge(slot, use, SlotUse::plus));
        if (reported.clients() == 0) {
            remarks.add("no client has reported in the last %d minutes: calls are not known (trafficReports)"
                    .formatted(ReportedTraffic.OLDEST_MILLIS / 60_000));
        }
        if (reported.unnamedCalls() > 0) {
            remarks.add("%d calls a minute are of slots that are not named in the reports, and are left out"
                    .formatted(reported.unnamedCalls()));
        }
        ToldCaches caches = reported.caches();
        if (caches.unnamed() > 0) {
            remarks.add(
                    "%d caches are not named in the reports of clients, and are left out".formatted(caches.unnamed()));
        }
        return new SurveyedLoad(
                map,
                slots,
                reported.roots(),
                reported.hotReads(),
                caches,
                memory,
                new SurveyedLoad.Known(haveReports, haveKeys),
                reported.clients(),
                remarks);
    }

    private void ask(PartitionId id) {
        try (PartitionConnector connector = connectors.apply(id);
                AskedPartition asked = AskedPartition.open(connector, time)) {
            try {
                TrafficCommand.Reports reports = asked.ask(new TrafficCommand.ReadReports());
                reported.add(reports.all());
                haveReports.add(id);
                if (!reports.isComplete()) {
                    remarks.add("%s has not the reports of all clients".formatted(id));
                }
            } catch (AskedPartition.UnknownException e) {
                remarks.add("the reports of clients to %s are not known: %s".formatted(id, e.getMessage()));
            }
            askWhatIsStored(id, asked);
        } catch (AskedPartition.UnknownException e) {
            remarks.add("%s cannot be asked: %s".formatted(id, e.getMessage()));
        }
    }

    private void askWhatIsStored(PartitionId id, AskedPartition asked) {
        if (mostKeys == 0) {
            return;
        }
        try {
            SlotTransfer.MemoryUse used = asked.ask(new SlotTransfer.Memory());
            memory.put(id, new PlanFacts.Memory(used.usedBytes(), used.mostBytes()));
            SampledKeys sample = SampledKeys.of(asked, map, id, mostKeys);
            sample.of(used.keys()).forEach((slot, use) -> slots.merge(slot, use, SlotUse::plus));
            haveKeys.add(id);
            if (!sample.isComplete()) {
                remarks.add("keys and bytes of %s are estimated by %d of %d keys"
                        .formatted(id, sample.keys(), used.keys()));
            }
        } catch (AskedPartition.UnknownException e) {
            remarks.add("the keys of %s are not known: %s".formatted(id, e.getMessage()));
        }
    }
}

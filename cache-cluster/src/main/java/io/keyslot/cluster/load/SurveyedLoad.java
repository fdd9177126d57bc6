// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.load;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.plan.HotRoot;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.slot.PartitionId;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was found out about the load of a map's slots.
 *
 * @param map whose
 * @param slots those of which anything is known
 * @param roots of slots, those that most of the calls are about
 * @param hot the keys that are read most, of caches whose clients tell them
 * @param caches what clients tell of their caches
 * @param memory of the partitions that told it
 * @param known which partitions have told what
 * @param clients how many have reported
 * @param remarks what is not known, each a sentence without a full stop
 */
public record SurveyedLoad(
        PartitionMap map,
        Map<Integer, SlotUse> slots,
        Map<Integer, HotRoot> roots,
        HotReadsOfClients hot,
        ToldCaches caches,
        Map<PartitionId, PlanFacts.Memory> memory,
        Known known,
        int clients,
        List<String> remarks) {
    public SurveyedLoad {
        slots = new TreeMap<>(slots);
        roots = Map.copyOf(roots);
        memory = Map.copyOf(memory);
        remarks = List.copyOf(remarks);
    }

    /** Returns what a planner has to know. */
    public PlanFacts facts() {
        return new PlanFacts(
                memory,
                slots.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, slot -> slot.getValue().asLoad())),
                roots);
    }

    /**
     * The partitions that have told something.
     *
     * @param reports what clients have told them
     * @param keys what they store
     */
    public record Known(Set<PartitionId> reports, Set<PartitionId> keys) {
        public Known {
            reports = Set.copyOf(reports);
            keys = Set.copyOf(keys);
        }
    }

    /** Returns whether a partition has told this: of calls, that is what clients have reported there. */
    boolean isKnown(PartitionId partition, Usage usage) {
        return !unknown(usage).contains(partition) && (usage == Usage.KEYS || usage == Usage.BYTES || clients > 0);
    }

    /** Returns the partitions of which this is not known: they have more than is said here. */
    public List<PartitionId> unknown(Usage usage) {
        boolean isStored = usage == Usage.KEYS || usage == Usage.BYTES;
        Set<PartitionId> have = isStored ? known.keys() : known.reports();
        return byPartition().keySet().stream()
                .filter(name -> !have.contains(name))
                .toList();
    }

    /** Returns what all slots have together. */
    public SlotUse total() {
        return sum(slots.values());
    }

    /** Returns what the slots of each partition that is asked have, in the order of the map. */
    public Map<PartitionId, SlotUse> byPartition() {
        Map<PartitionId, SlotUse> sums = new LinkedHashMap<>();
        map.partitions().stream()
                .filter(MappedPartition::isAsked)
                .forEach(partition -> sums.put(partition.name(), SlotUse.NONE));
        slots.forEach((slot, use) ->
                map.ownerOf(slot).ifPresent(owner -> sums.computeIfPresent(owner, (name, sum) -> sum.plus(use))));
        return sums;
    }

    /** Returns the slots with the most, at most so many; none that has nothing. */
    public List<Integer> top(Usage by, int most) {
        return slots.entrySet().stream()
                .filter(slot -> by.of(slot.getValue()) > 0)
                .sorted(Comparator.<Map.Entry<Integer, SlotUse>>comparingLong(slot -> by.of(slot.getValue()))
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static SlotUse sum(Collection<SlotUse> uses) {
        return uses.stream().reduce(SlotUse.NONE, SlotUse::plus);
    }
}

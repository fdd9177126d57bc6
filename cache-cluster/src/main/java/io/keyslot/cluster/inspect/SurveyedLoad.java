// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.NamedLoad;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.SlotLoad;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * The measured load of a map's slots, groups and keys. Remarks are sentences about what is unknown, without a period.
 */
public record SurveyedLoad(
        PartitionMap map,
        Map<Integer, SlotLoad> slots,
        List<NamedLoad> named,
        Map<PartitionId, PlanFacts.Memory> memory,
        Known known,
        int clients,
        List<String> remarks) {
    public SurveyedLoad {
        slots = new TreeMap<>(slots);
        Map<NamedLoad, NamedLoad> sums = new LinkedHashMap<>();
        named.forEach(each -> sums.merge(
                new NamedLoad(each.name(), each.slot(), each.isGroup(), SlotLoad.NONE), each, NamedLoad::plus));
        named = List.copyOf(sums.values());
        memory = Map.copyOf(memory);
        remarks = List.copyOf(remarks);
    }

    /** The partitions with reports of clients, and those with stored keys. */
    public record Known(Set<PartitionId> reports, Set<PartitionId> keys) {
        public Known {
            reports = Set.copyOf(reports);
            keys = Set.copyOf(keys);
        }
    }

    public PlanFacts facts() {
        Map<Integer, NamedLoad> most = new HashMap<>();
        named.stream()
                .filter(each -> each.load().calls() > 0)
                .forEach(each -> most.merge(
                        each.slot(),
                        each,
                        BinaryOperator.maxBy(
                                Comparator.comparingLong(one -> one.load().calls()))));
        return new PlanFacts(memory, slots, most);
    }

    /** Returns whether a measure of a partition is known. Calls are known from the reports of clients. */
    boolean isKnown(PartitionId partition, Measure measure) {
        return !unknown(measure).contains(partition) && (measure != Measure.CALLS || clients > 0);
    }

    /** Returns the partitions of which the measure is not known, so that the totals are too low. */
    public List<PartitionId> unknown(Measure measure) {
        Set<PartitionId> have = measure == Measure.CALLS ? known.reports() : known.keys();
        return byPartition().keySet().stream()
                .filter(name -> !have.contains(name))
                .toList();
    }

    public SlotLoad total() {
        return slots.values().stream().reduce(SlotLoad.NONE, SlotLoad::plus);
    }

    public Map<PartitionId, SlotLoad> byPartition() {
        Map<PartitionId, SlotLoad> sums = new LinkedHashMap<>();
        map.partitions().stream()
                .filter(MappedPartition::isAsked)
                .forEach(partition -> sums.put(partition.name(), SlotLoad.NONE));
        slots.forEach((slot, load) ->
                map.ownerOf(slot).ifPresent(owner -> sums.computeIfPresent(owner, (name, sum) -> sum.plus(load))));
        return sums;
    }

    /** Returns the slots with the highest load, without those of zero load. */
    public List<NamedLoad> top(Measure by, int most) {
        List<NamedLoad> all = new ArrayList<>();
        slots.forEach((slot, load) -> all.add(new NamedLoad(Integer.toString(slot), slot, false, load)));
        return top(all, by, most, Comparator.comparingInt(NamedLoad::slot));
    }

    /** Returns the groups or the keys with the highest load, without those of zero load. */
    public List<NamedLoad> top(boolean isGroup, Measure by, int most) {
        List<NamedLoad> all =
                named.stream().filter(each -> each.isGroup() == isGroup).toList();
        return top(all, by, most, Comparator.comparing(NamedLoad::name));
    }

    private static List<NamedLoad> top(List<NamedLoad> all, Measure by, int most, Comparator<NamedLoad> amongEquals) {
        return all.stream()
                .filter(each -> each.load().by(by) > 0)
                .sorted(Comparator.<NamedLoad>comparingLong(each -> each.load().by(by))
                        .reversed()
                        .thenComparing(amongEquals))
                .limit(most)
                .toList();
    }
}

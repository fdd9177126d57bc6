// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.slot.HashSlot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the groups that take much, by going over all keys or some; changes nothing, and keeps little. Stateless. */
public final class GroupSurvey {
    private GroupSurvey() {}

    /**
     * Looks at the partitions one after the other.
     *
     * @param bytes which groups are large
     * @param most about how many keys of each partition are looked at; all if 0
     */
    public static SeenGroups look(OpenCatalogue catalogue, long bytes, long most) {
        PartitionMap map = catalogue.newest();
        List<SeenGroup> large = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        long forgotten = 0;
        boolean isComplete = true;
        try (Instances instances = new Instances(catalogue)) {
            KeyWalk walk = new KeyWalk(instances, map, most);
            for (MappedPartition partition : map.askedPartitions()) {
                LargeGroups groups = new LargeGroups(); // all of a group is in one slot
                try {
                    KeyWalk.Walked walked = walk.over(
                            partition,
                            key -> true,
                            (key, slot, size) -> groups.add(HashSlot.tag(key.text()), slot, size));
                    if (!walked.isComplete()) {
                        notes.add("of %s only %d keys were looked at: groups may be larger, and others too"
                                .formatted(partition.name(), walked.keys()));
                    }
                } catch (SilentException e) {
                    isComplete = false;
                    notes.add("groups of a partition are not known: " + e.getMessage());
                }
                large.addAll(groups.largerThan(bytes));
                forgotten = Math.max(forgotten, groups.forgotten());
            }
        }
        if (forgotten > bytes) {
            notes.add("there are many groups: some with up to %d bytes may be left out".formatted(forgotten));
        }
        large.sort(Comparator.comparingLong(SeenGroup::bytes).reversed().thenComparing(SeenGroup::root));
        return new SeenGroups(map, large, forgotten, notes, isComplete);
    }
}

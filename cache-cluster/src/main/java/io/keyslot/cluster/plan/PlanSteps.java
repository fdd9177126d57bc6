// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import java.util.List;

/** The states of partitions, apart from their slots, before and after the moves. */
public record PlanSteps(List<MappedPartition> first, List<MappedPartition> last) {
    static final PlanSteps NONE = new PlanSteps(List.of(), List.of());

    public PlanSteps {
        first = List.copyOf(first);
        last = List.copyOf(last);
    }

    /** Returns the content with these partitions; those that do not exist or were removed are added. */
    static MapContent put(MapContent content, List<MappedPartition> partitions) {
        MapContent changed = content;
        for (MappedPartition partition : partitions) {
            boolean isThere = changed.partition(partition.name())
                    .filter(MappedPartition::mayOwn)
                    .isPresent();
            changed = isThere ? changed.change(partition.name(), before -> partition) : changed.add(partition);
        }
        return changed;
    }
}

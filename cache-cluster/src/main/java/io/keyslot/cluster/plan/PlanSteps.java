// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import java.util.List;

/**
 * What becomes of partitions, apart from their slots.
 *
 * @param first partitions as they are to be before the moves begin
 * @param last partitions as they are to be when the moves are over
 */
public record PlanSteps(List<MappedPartition> first, List<MappedPartition> last) {
    static final PlanSteps NONE = new PlanSteps(List.of(), List.of());

    public PlanSteps {
        first = List.copyOf(first);
        last = List.copyOf(last);
    }

    /** Returns the content of a map in which the partitions are so; one that is not there, or was removed, is added. */
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

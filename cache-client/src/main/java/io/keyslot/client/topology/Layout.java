// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.topology;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.List;
import java.util.Map;

/**
 * What a {@link TopologySource} says: who owns what, and where the partitions are. Of two, the one whose slot map has the
 * higher version is the newer.
 *
 * @param slotMap who owns each slot
 * @param partitions the partitions that are asked, in the order in which they are shown; one that the map names and that
 *     is not here is asked by nobody
 * @param onTheirWay the slots that are on their way from one partition to another, each with the one of the two that does
 *     not own it. Commands about them are {@linkplain io.keyslot.client.partition.Route#isFenced() fenced}
 */
public record Layout(SlotMap slotMap, List<PartitionOptions> partitions, Map<Integer, PartitionId> onTheirWay) {
    public Layout {
        partitions = List.copyOf(partitions);
        onTheirWay = Map.copyOf(onTheirWay);
    }

    /** Creates a layout in which no slot is on its way. */
    public Layout(SlotMap slotMap, List<PartitionOptions> partitions) {
        this(slotMap, partitions, Map.of());
    }

    long version() {
        return slotMap.version();
    }
}

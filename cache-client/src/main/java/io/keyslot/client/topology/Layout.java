// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.topology;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.slot.SlotMap;
import java.util.List;

/**
 * What a {@link TopologySource} says: who owns what, and where the partitions are. Of two, the one whose slot map has the
 * higher version is the newer.
 *
 * @param slotMap who owns each slot
 * @param partitions the partitions that are asked, in the order in which they are shown; one that the map names and that
 *     is not here is asked by nobody
 */
public record Layout(SlotMap slotMap, List<PartitionOptions> partitions) {
    public Layout {
        partitions = List.copyOf(partitions);
    }

    long version() {
        return slotMap.version();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Set;

/**
 * What the instances store of the decided map: the stamps of copies, instances behind, voters that have lost their
 * state, instances whose map or vote is not believed, and silent ones with the reason.
 */
public record InstanceCopies(
        Map<PartitionId, MapStamp> copies,
        Set<PartitionId> behind,
        Set<PartitionId> lost,
        Set<PartitionId> doubted,
        Map<PartitionId, String> silent) {
    public static final InstanceCopies NONE = new InstanceCopies(Map.of(), Set.of(), Set.of(), Set.of(), Map.of());

    public InstanceCopies {
        copies = Map.copyOf(copies);
        behind = Set.copyOf(behind);
        lost = Set.copyOf(lost);
        doubted = Set.copyOf(doubted);
        silent = Map.copyOf(silent);
    }
}

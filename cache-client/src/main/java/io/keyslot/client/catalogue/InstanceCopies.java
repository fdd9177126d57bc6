// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Set;

/**
 * What the instances know of the map that was agreed on.
 *
 * @param copies of those that have one
 * @param behind those that answer, and have none or an older one than another has
 * @param lost those that are to decide on the next map, and have forgotten what they have said
 * @param doubted those that show a map, or a vote about it, that is not believed
 * @param silent those that do not answer, or not with what can be read, and why
 */
public record InstanceCopies(
        Map<PartitionId, MapStamp> copies,
        Set<PartitionId> behind,
        Set<PartitionId> lost,
        Set<PartitionId> doubted,
        Map<PartitionId, String> silent) {
    /** Nobody has answered. */
    public static final InstanceCopies NONE = new InstanceCopies(Map.of(), Set.of(), Set.of(), Set.of(), Map.of());

    public InstanceCopies {
        copies = Map.copyOf(copies);
        behind = Set.copyOf(behind);
        lost = Set.copyOf(lost);
        doubted = Set.copyOf(doubted);
        silent = Map.copyOf(silent);
    }
}

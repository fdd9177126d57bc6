// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The slots that a server reports at one moment: their owners, those that migrate away with their new owners, which may
 * already have some of the keys, and those that arrive. Immutable.
 */
public record ServedSlots(SlotMap owners, Map<Integer, PartitionId> leaving, Set<Integer> arriving) {
    public ServedSlots {
        leaving = Map.copyOf(leaving);
        arriving = Set.copyOf(arriving);
    }

    /** Returns the other partition that may have keys of a slot that this server no longer has. */
    public Optional<PartitionId> elsewhere(int slot, PartitionId server) {
        PartitionId to = leaving.get(slot);
        if (to != null) {
            return Optional.of(to);
        }
        return arriving.contains(slot) ? Optional.empty() : owners.ownerOf(slot).filter(owner -> !owner.equals(server));
    }
}

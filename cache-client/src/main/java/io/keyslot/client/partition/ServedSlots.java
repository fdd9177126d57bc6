// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which slots a server has at one moment, as it says itself. Immutable.
 *
 * @param owners who owns which slot
 * @param leaving the slots that it is giving away, each with who gets them: a key of them may be there already
 * @param arriving the slots that it is getting: what has left their owner is here
 */
public record ServedSlots(SlotMap owners, Map<Integer, PartitionId> leaving, Set<Integer> arriving) {
    public ServedSlots {
        leaving = Map.copyOf(leaving);
        arriving = Set.copyOf(arriving);
    }

    /** Returns who has keys of a slot that this server, which had them, has not; empty if nobody else has. */
    public Optional<PartitionId> elsewhere(int slot, PartitionId server) {
        PartitionId to = leaving.get(slot);
        if (to != null) {
            return Optional.of(to);
        }
        return arriving.contains(slot) ? Optional.empty() : owners.ownerOf(slot).filter(owner -> !owner.equals(server));
    }
}

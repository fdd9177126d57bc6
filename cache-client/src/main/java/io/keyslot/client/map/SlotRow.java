// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;

/**
 * Adjacent slots with the same owner and ownership number, which starts at 1 and increases with each change of owner.
 */
record SlotRow(SlotRange slots, PartitionId owner, int ownership) {
    public SlotRow {
        if (ownership < 1) {
            throw new IllegalArgumentException(
                    "Ownership of slots %s is %d: must be at least 1".formatted(slots, ownership));
        }
    }

    boolean continues(SlotRow before) {
        return before.slots.last() + 1 == slots.first() && before.owner.equals(owner) && before.ownership == ownership;
    }

    SlotRow with(SlotRow next) {
        return new SlotRow(new SlotRange(slots.first(), next.slots.last()), owner, ownership);
    }
}

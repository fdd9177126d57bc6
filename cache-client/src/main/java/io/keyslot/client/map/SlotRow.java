// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;

/**
 * Neighbouring slots of which the same is known.
 *
 * @param slots which
 * @param owner who has them
 * @param ownership the how manieth owner that is: 1 for the first one, one more with each change
 */
record SlotRow(SlotRange slots, PartitionId owner, int ownership) {
    public SlotRow {
        if (ownership < 1) {
            throw new IllegalArgumentException(
                    "Ownership of slots %s is %d: must be at least 1".formatted(slots, ownership));
        }
    }

    /** Returns whether these are the same for an owner, and no slot is between them. */
    boolean continues(SlotRow before) {
        return before.slots.last() + 1 == slots.first() && before.owner.equals(owner) && before.ownership == ownership;
    }

    /** Returns these slots and those that continue them as one row. */
    SlotRow with(SlotRow next) {
        return new SlotRow(new SlotRange(slots.first(), next.slots.last()), owner, ownership);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;

/** Slots that are to move from one partition to another. */
public record PlannedMove(PartitionId from, PartitionId to, SlotSet slots) {
    @Override
    public String toString() {
        return from + " -> " + to + " " + slots;
    }
}

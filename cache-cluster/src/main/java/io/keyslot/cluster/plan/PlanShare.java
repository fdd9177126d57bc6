// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;

/**
 * A line of the table of a plan.
 *
 * @param partition whose
 * @param slotsBefore how many slots it has
 * @param slotsAfter how many it will have
 * @param bytesBefore what these take, 0 if that is not known
 * @param bytesAfter what they will take
 * @param loadBefore what was to be evened out of it; 0 if the plan does not do that
 * @param loadAfter what it will have of that
 */
public record PlanShare(
        PartitionId partition,
        int slotsBefore,
        int slotsAfter,
        long bytesBefore,
        long bytesAfter,
        long loadBefore,
        long loadAfter) {
    /** Returns that of the way back. */
    PlanShare reversed() {
        return new PlanShare(partition, slotsAfter, slotsBefore, bytesAfter, bytesBefore, loadAfter, loadBefore);
    }
}

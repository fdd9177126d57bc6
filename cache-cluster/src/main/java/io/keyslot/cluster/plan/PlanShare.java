// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;

/** A line of the table of a plan. Bytes are 0 if unknown, loads are 0 if the plan does not balance. */
public record PlanShare(
        PartitionId partition,
        int slotsBefore,
        int slotsAfter,
        long bytesBefore,
        long bytesAfter,
        long loadBefore,
        long loadAfter) {}

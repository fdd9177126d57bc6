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
 */
public record PlanShare(PartitionId partition, int slotsBefore, int slotsAfter, long bytesBefore, long bytesAfter) {}

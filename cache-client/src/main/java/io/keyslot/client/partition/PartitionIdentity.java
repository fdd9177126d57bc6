// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;

/**
 * Who a client believes a partition to be. The first client that adopts writes it into the instance; every other one
 * must agree.
 *
 * @param partition the partition's name in the slot map
 * @param slotMap the whole map
 * @param namespace what stands before the entity types, empty for none
 * @param otherNamespacesAllowed whether the instance may be used under other namespaces as well
 * @param adopts whether this client writes it into an instance that has no such record; one that only looks does not
 */
public record PartitionIdentity(
        PartitionId partition, SlotMap slotMap, String namespace, boolean otherNamespacesAllowed, boolean adopts) {}

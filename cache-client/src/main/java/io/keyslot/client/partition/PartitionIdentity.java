// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.List;

/**
 * Who a client believes a partition to be. The first client that adopts writes it into the instance; every other one
 * must agree.
 *
 * @param partition the partition's name in the slot map
 * @param slotMap the newest map at the moment of a connect
 * @param namespace what stands before the entity types, empty for none
 * @param otherNamespacesAllowed whether the instance may be used under other namespaces as well
 * @param adoption whether this client writes it into an instance that has no such record
 * @param keyPrefixes with what the keys of the configured caches begin, for messages
 */
public record PartitionIdentity(
        PartitionId partition,
        SlotMap slotMap,
        String namespace,
        boolean otherNamespacesAllowed,
        Adoption adoption,
        List<String> keyPrefixes) {
    public PartitionIdentity {
        keyPrefixes = List.copyOf(keyPrefixes);
    }

    /** Creates an identity of a client without configured caches. */
    public PartitionIdentity(
            PartitionId partition,
            SlotMap slotMap,
            String namespace,
            boolean otherNamespacesAllowed,
            Adoption adoption) {
        this(partition, slotMap, namespace, otherNamespacesAllowed, adoption, List.of());
    }

    /** Returns the identity by a newer map. */
    public PartitionIdentity by(SlotMap newer) {
        return new PartitionIdentity(partition, newer, namespace, otherNamespacesAllowed, adoption, keyPrefixes);
    }

    /** Returns whether this client writes into instances that have no record; one that only looks does not. */
    public boolean adopts() {
        return adoption != Adoption.NEVER;
    }

    /** Returns what stands before the entity types. */
    public String keyspace() {
        return namespace.isEmpty() ? "" : namespace + "/";
    }
}

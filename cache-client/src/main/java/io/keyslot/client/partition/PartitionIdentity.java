// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.List;

/**
 * The identity that a client expects of a partition, as of the newest map at the time of a connect. The first client
 * that adopts an instance writes it there; all other clients must agree. An empty namespace means none; the key
 * prefixes of the configured caches serve messages.
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

    public PartitionIdentity(
            PartitionId partition,
            SlotMap slotMap,
            String namespace,
            boolean otherNamespacesAllowed,
            Adoption adoption) {
        this(partition, slotMap, namespace, otherNamespacesAllowed, adoption, List.of());
    }

    public PartitionIdentity by(SlotMap newer) {
        return new PartitionIdentity(partition, newer, namespace, otherNamespacesAllowed, adoption, keyPrefixes);
    }

    public boolean adopts() {
        return adoption != Adoption.NEVER;
    }

    public String keyspace() {
        return namespace.isEmpty() ? "" : namespace + "/";
    }
}

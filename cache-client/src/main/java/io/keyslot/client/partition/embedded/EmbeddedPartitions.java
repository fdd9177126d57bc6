// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The partitions that live in this process. A manager with the embedded engine unwraps to it, so that a demonstration or a
 * test can take one away.
 */
public final class EmbeddedPartitions {
    private final Map<PartitionId, EmbeddedPartition> byId;

    public EmbeddedPartitions(Map<PartitionId, EmbeddedPartition> byId) {
        this.byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
    }

    /** Returns the partition, or empty if there is none of this name. */
    public Optional<EmbeddedPartition> partition(PartitionId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the connector of a partition that exists. */
    public PartitionConnector connector(PartitionId id) {
        return partition(id).orElseThrow().connector();
    }

    /** Returns all partitions in the order of the slot map. */
    public Map<PartitionId, EmbeddedPartition> byId() {
        return byId;
    }
}

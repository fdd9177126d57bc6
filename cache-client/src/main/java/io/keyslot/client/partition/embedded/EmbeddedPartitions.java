// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The partitions that live in this process. A manager with the embedded engine unwraps to it, so that a demonstration or a
 * test can take one away.
 */
public final class EmbeddedPartitions {
    private final Map<PartitionId, EmbeddedPartition> byId;
    private final Function<EmbeddedPartition, PartitionConnector> connecting;

    public EmbeddedPartitions(Map<PartitionId, EmbeddedPartition> byId) {
        this(byId, EmbeddedPartition::connector);
    }

    /**
     * Creates partitions that are reached in a way of their own.
     *
     * @param connecting gives a new connector to a partition
     */
    public EmbeddedPartitions(
            Map<PartitionId, EmbeddedPartition> byId, Function<EmbeddedPartition, PartitionConnector> connecting) {
        this.byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
        this.connecting = connecting;
    }

    /** Returns the partition, or empty if there is none of this name. */
    public Optional<EmbeddedPartition> partition(PartitionId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns a new connector to a partition that exists. */
    public PartitionConnector connector(PartitionId id) {
        return connecting.apply(partition(id).orElseThrow());
    }

    /** Returns all partitions in the order of the slot map. */
    public Map<PartitionId, EmbeddedPartition> byId() {
        return byId;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.PartitionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The partitions in this process. A manager with the embedded engine unwraps to it, so that tests can kill one. */
public final class EmbeddedPartitions {
    private final Map<PartitionId, EmbeddedPartition> byId;
    private final Function<EmbeddedPartition, PartitionConnector> connecting;

    public EmbeddedPartitions(Map<PartitionId, EmbeddedPartition> byId) {
        this(byId, EmbeddedPartition::connector);
    }

    public EmbeddedPartitions(
            Map<PartitionId, EmbeddedPartition> byId, Function<EmbeddedPartition, PartitionConnector> connecting) {
        this.byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
        this.connecting = connecting;
    }

    public Optional<EmbeddedPartition> partition(PartitionId id) {
        return Optional.ofNullable(byId.get(id));
    }

    public PartitionConnector connector(PartitionId id) {
        return connecting.apply(partition(id).orElseThrow());
    }

    /** Returns all partitions in the order of the slot map. */
    public Map<PartitionId, EmbeddedPartition> byId() {
        return byId;
    }
}

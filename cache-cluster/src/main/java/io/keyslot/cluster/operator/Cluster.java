// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.slot.PartitionId;

/** What an operator works on: where the map is agreed on, and the partitions of the newest one. Safe for use by several threads. */
interface Cluster {
    MapStore maps();

    /**
     * Returns a new connector to a partition of the newest map, for a coordinator.
     *
     * @throws IllegalArgumentException if the map does not name it
     */
    PartitionConnector connector(PartitionId id);

    /** Returns a new connector to a partition, which may be one that the map does not name yet. */
    PartitionConnector connector(MappedPartition partition, Adoption adoption);

    MoveTime time();
}

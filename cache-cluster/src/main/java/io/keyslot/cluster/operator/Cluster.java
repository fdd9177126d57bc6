// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.slot.PartitionId;

/** The catalogue and the partitions of its newest map. Safe for use by several threads. */
interface Cluster {
    MapStore maps();

    /** Returns a new connector to a partition of the newest map; throws IllegalArgumentException if it is not in it. */
    PartitionConnector connector(PartitionId id);

    /** Returns a new connector to a partition, which need not be in the map yet. */
    PartitionConnector connector(MappedPartition partition, Adoption adoption);

    MoveTime time();
}

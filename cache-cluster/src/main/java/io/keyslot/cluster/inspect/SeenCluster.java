// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveReport;
import java.util.List;

/** The recent state of a cluster. Notes are sentences about what is unknown, without a period. */
public record SeenCluster(
        PartitionMap map, List<SeenPartition> partitions, List<MoveReport> moves, List<String> notes) {
    public SeenCluster {
        partitions = List.copyOf(partitions);
        moves = List.copyOf(moves);
        notes = List.copyOf(notes);
    }

    /** Returns whether all partitions that clients use have answered. */
    public boolean isComplete() {
        return partitions.stream().filter(seen -> seen.partition().isAsked()).allMatch(SeenPartition::answers);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.MoveReport;
import java.util.List;

/**
 * A cluster as it was seen a moment ago.
 *
 * @param map the newest one
 * @param partitions all that are in it, in its order
 * @param moves how far they are
 * @param notes what is not known, each a sentence without a full stop
 */
public record SeenCluster(
        PartitionMap map, List<SeenPartition> partitions, List<MoveReport> moves, List<String> notes) {
    public SeenCluster {
        partitions = List.copyOf(partitions);
        moves = List.copyOf(moves);
        notes = List.copyOf(notes);
    }

    /** Returns whether all have answered that clients ask. */
    public boolean isComplete() {
        return partitions.stream().filter(seen -> seen.partition().isAsked()).allMatch(SeenPartition::answers);
    }
}

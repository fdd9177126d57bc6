// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.survey;

import io.keyslot.client.map.PartitionMap;
import java.util.List;

/**
 * The groups that are large.
 *
 * @param map by which they were looked for
 * @param groups the largest first
 * @param forgotten no group with more bytes is left out
 * @param notes what is not known, each a sentence without a full stop
 * @param isComplete whether all partitions have answered
 */
public record SeenGroups(
        PartitionMap map, List<SeenGroup> groups, long forgotten, List<String> notes, boolean isComplete) {
    public SeenGroups {
        groups = List.copyOf(groups);
        notes = List.copyOf(notes);
    }
}

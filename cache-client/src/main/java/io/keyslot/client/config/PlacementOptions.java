// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of one type of roots are, by the first map: as text, which becomes a placement of it. Immutable.
 *
 * @param rootType the entity type of the roots
 * @param rangesOf what the ids in ranges are, empty if there are no ranges
 * @param list ids and where they are, each id once
 * @param ranges from the lowest to the highest
 * @param refuses whether keys that no entry names are refused; they are hashed otherwise
 */
public record PlacementOptions(
        String rootType, Optional<String> rangesOf, List<Listed> list, List<Range> ranges, boolean refuses) {
    public PlacementOptions {
        list = List.copyOf(list);
        ranges = List.copyOf(ranges);
    }

    /** An id, as the text of a key has it, and where it is. */
    public record Listed(String id, Target target) {}

    /**
     * Ids from one to another, and where they are.
     *
     * @param low the first, null if there is no first one
     * @param high the one behind the last, null if there is no last one
     */
    public record Range(@Nullable String low, @Nullable String high, Target target) {}

    /**
     * Where an entry is.
     *
     * @param owner whose its slots are
     * @param width how many slots: 1, 2, 4 or 8
     */
    public record Target(PartitionId owner, int width) {}
}

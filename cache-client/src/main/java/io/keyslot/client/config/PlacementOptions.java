// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A placement of the first map, as text: the slots of the root keys of one entity type. Single ids are listed, each
 * once; ranges are in ascending order, with ids of the type {@code rangesOf}. Other keys are refused or hashed.
 */
public record PlacementOptions(
        String rootType, Optional<String> rangesOf, List<Listed> list, List<Range> ranges, boolean refuses) {
    public PlacementOptions {
        list = List.copyOf(list);
        ranges = List.copyOf(ranges);
    }

    public record Listed(String id, Target target) {}

    /** A range of ids from {@code low} (inclusive) to {@code high} (exclusive); null for no bound. */
    public record Range(@Nullable String low, @Nullable String high, Target target) {}

    /** The owner, and the number of slots: 1, 2, 4 or 8. */
    public record Target(PartitionId owner, int width) {}
}

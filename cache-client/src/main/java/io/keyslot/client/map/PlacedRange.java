// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ids that belong together because they follow each other.
 *
 * @param low the first id, null if there is no first one
 * @param high the id behind the last one, null if there is no last one
 * @param target where they are
 */
public record PlacedRange(@Nullable String low, @Nullable String high, PlacementTarget target) {
    /** Returns ranges in the order of their bounds; one whose bounds are not of this type comes last. */
    public static List<PlacedRange> inOrder(RangeType type, List<PlacedRange> ranges) {
        Comparator<@Nullable Rank> ranks = Comparator.nullsLast(Comparator.naturalOrder());
        return ranges.stream()
                .sorted(Comparator.comparing((PlacedRange range) -> range.low() != null)
                        .thenComparing(range -> rank(type, range.low()), ranks))
                .toList();
    }

    /** Returns the rank of a bound; null if there is none, or it is not of the type. */
    static @Nullable Rank rank(RangeType type, @Nullable String bound) {
        return bound == null ? null : type.order(IdText.of(bound));
    }

    @Override
    public String toString() {
        return "[" + (low == null ? "" : low) + "," + (high == null ? "" : high) + ")";
    }
}

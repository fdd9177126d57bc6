// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A range of ids, from {@code low}, inclusive, to {@code high}, exclusive; null stands for no bound. */
public record PlacedRange(@Nullable String low, @Nullable String high, PlacementTarget target) {
    /** Returns ranges in the order of their bounds; those with bounds of another type come last. */
    public static List<PlacedRange> inOrder(RangeType type, List<PlacedRange> ranges) {
        Comparator<@Nullable Rank> ranks = Comparator.nullsLast(Comparator.naturalOrder());
        return ranges.stream()
                .sorted(Comparator.comparing((PlacedRange range) -> range.low() != null)
                        .thenComparing(range -> rank(type, range.low()), ranks))
                .toList();
    }

    /** Returns the rank of a bound; null if there is none, or it does not have the type. */
    static @Nullable Rank rank(RangeType type, @Nullable String bound) {
        return bound == null ? null : type.order(IdText.of(bound));
    }

    @Override
    public String toString() {
        return "[" + (low == null ? "" : low) + "," + (high == null ? "" : high) + ")";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The adjacent slots of an entry of a placement, the distribution of keys over them, the labels of their owner, and
 * whether plans by shares or by load leave them where they are.
 */
public record PlacementTarget(int first, Spread spread, SortedMap<String, String> labels, boolean isPinned) {
    public PlacementTarget {
        if (first < HashSlot.COUNT || first + spread.count() > SlotRange.END) {
            throw new IllegalArgumentException("The slots %d to %d of a placement: must be from %d to %d"
                    .formatted(first, first + spread.count() - 1, HashSlot.COUNT, SlotRange.END - 1));
        }
        labels = MappedPartition.checkedLabels(labels);
    }

    public static PlacementTarget of(int first, int width) {
        return of(first, Spread.over(width));
    }

    public static PlacementTarget of(int first, Spread spread) {
        return new PlacementTarget(first, spread, Collections.emptySortedMap(), false);
    }

    public PlacementTarget withLabels(SortedMap<String, String> others) {
        return new PlacementTarget(first, spread, others, isPinned);
    }

    public PlacementTarget pinned(boolean pinned) {
        return new PlacementTarget(first, spread, labels, pinned);
    }

    public SlotSet slots() {
        return SlotSet.of(range());
    }

    /** Like {@link #slots}, but cheaper for thousands of targets. */
    SlotRange range() {
        return new SlotRange(first, first + spread.count() - 1);
    }

    /** Returns the slot of a root key. Doubling the slots splits each in two by one more bit of the hash. */
    public int slotOf(int hashSlot) {
        return first + spread.of(hashSlot);
    }

    boolean isAt(PlacementTarget other) {
        return first == other.first && spread.equals(other.spread);
    }
}

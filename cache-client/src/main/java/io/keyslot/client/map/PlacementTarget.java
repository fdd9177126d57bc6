// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.PlacedSlots;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The slots of an entry of a placement.
 *
 * @param first the lowest of them
 * @param width how many, next to each other: 1, 2, 4 or 8. A key is in one of them by the hash of its root
 * @param labels what their owner must be labelled
 */
public record PlacementTarget(int first, int width, SortedMap<String, String> labels) {
    private static final int LARGEST_WIDTH = 8;

    public PlacementTarget {
        if (width < 1 || width > LARGEST_WIDTH || Integer.bitCount(width) != 1) {
            throw new IllegalArgumentException("The width of a placement is %d: must be 1, 2, 4 or 8".formatted(width));
        }
        if (!PlacedSlots.contains(first) || first + width > PlacedSlots.END) {
            throw new IllegalArgumentException("The slots %d to %d of a placement: must be from %d to %d"
                    .formatted(first, first + width - 1, PlacedSlots.FIRST, PlacedSlots.END - 1));
        }
        labels = MappedPartition.checkedLabels(labels);
    }

    /** Returns a target that any partition may own. */
    public static PlacementTarget of(int first, int width) {
        return new PlacementTarget(first, width, Collections.emptySortedMap());
    }

    public SlotSet slots() {
        return SlotSet.of(new SlotRange(first, first + width - 1));
    }

    /** Returns the slot of a root key. Twice as many slots halve each of them: one more bit of the hash decides. */
    int slotOf(int hashSlot) {
        return first + (hashSlot & (width - 1));
    }
}

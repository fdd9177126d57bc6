// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The slots of an entry of a placement.
 *
 * @param first the lowest of them; the others are next to it
 * @param spread which of them a key is in
 * @param labels what their owner must be labelled
 */
public record PlacementTarget(int first, Spread spread, SortedMap<String, String> labels) {
    public PlacementTarget {
        if (first < HashSlot.COUNT || first + spread.count() > SlotRange.END) {
            throw new IllegalArgumentException("The slots %d to %d of a placement: must be from %d to %d"
                    .formatted(first, first + spread.count() - 1, HashSlot.COUNT, SlotRange.END - 1));
        }
        labels = MappedPartition.checkedLabels(labels);
    }

    /** Creates a target of 1, 2, 4 or 8 slots, which a key is in by its hash. */
    public PlacementTarget(int first, int width, SortedMap<String, String> labels) {
        this(first, Spread.over(width), labels);
    }

    /** Returns a target that any partition may own. */
    public static PlacementTarget of(int first, int width) {
        return of(first, Spread.over(width));
    }

    /** Returns a target that any partition may own. */
    public static PlacementTarget of(int first, Spread spread) {
        return new PlacementTarget(first, spread, Collections.emptySortedMap());
    }

    /** Returns the same slots for owners with other labels. */
    public PlacementTarget withLabels(SortedMap<String, String> others) {
        return new PlacementTarget(first, spread, others);
    }

    public SlotSet slots() {
        return SlotSet.of(range());
    }

    /** Returns the same as {@link #slots}, without a set of all slots: there may be thousands of targets. */
    SlotRange range() {
        return new SlotRange(first, first + spread.count() - 1);
    }

    /** Returns the slot of a root key. Twice as many slots halve each of them: one more bit of the hash decides. */
    public int slotOf(int hashSlot) {
        return first + spread.of(hashSlot);
    }

    /** Returns whether every key is in the same slot as by another target. */
    boolean isAt(PlacementTarget other) {
        return first == other.first && spread.equals(other.spread);
    }
}

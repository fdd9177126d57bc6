// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Normalizes the rows of a table, so that equal tables have equal rows. Pure. */
final class SlotRows {
    private SlotRows() {}

    /** Returns the rows in ascending order, with adjacent ones joined; throws if two rows have a common slot. */
    static List<SlotRow> inOrder(Collection<SlotRow> rows) {
        List<SlotRow> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingInt(row -> row.slots().first()));
        List<String> overlaps = overlaps(sorted);
        if (!overlaps.isEmpty()) {
            throw new InvalidMapException(overlaps);
        }
        return joined(sorted);
    }

    private static List<String> overlaps(List<SlotRow> sorted) {
        List<String> overlaps = new ArrayList<>();
        int end = 0;
        for (SlotRow row : sorted) {
            if (row.slots().first() < end) {
                overlaps.add("slot %d has two owners".formatted(row.slots().first()));
            }
            end = Math.max(end, row.slots().last() + 1);
        }
        return overlaps;
    }

    private static List<SlotRow> joined(List<SlotRow> sorted) {
        List<SlotRow> joined = new ArrayList<>();
        for (SlotRow row : sorted) {
            int last = joined.size() - 1;
            boolean continues = last >= 0 && row.continues(joined.get(last));
            joined.add(continues ? joined.remove(last).with(row) : row);
        }
        return List.copyOf(joined);
    }
}

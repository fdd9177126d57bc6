// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns each slot, and the how manieth owner that is. Immutable. No slot has two owners; equal if each slot has the
 * same.
 */
public final class SlotTable {
    private final List<SlotRow> rows; // sorted, and no two that could be one

    /**
     * Creates a table of rows in any order.
     *
     * @throws InvalidMapException if two of them have a slot in common
     */
    public SlotTable(Collection<SlotRow> rows) {
        this.rows = SlotRows.inOrder(rows);
    }

    /** Returns the table of a map in which each slot has its first owner. */
    public static SlotTable of(SlotMap map) {
        List<SlotRow> rows = new ArrayList<>();
        for (PartitionId owner : map.partitions()) {
            map.rangesOf(owner).forEach(range -> rows.add(new SlotRow(range, owner, 1)));
        }
        return new SlotTable(rows);
    }

    /** Returns the rows from the lowest slot to the highest; neighbours differ. */
    public List<SlotRow> rows() {
        return rows;
    }

    /** Returns the row of a slot, empty if nobody owns it. */
    public Optional<SlotRow> row(int slot) {
        int low = 0;
        int high = rows.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            SlotRow row = rows.get(middle);
            if (row.slots().last() < slot) {
                low = middle + 1;
            } else if (row.slots().first() > slot) {
                high = middle - 1;
            } else {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    public Optional<PartitionId> ownerOf(int slot) {
        return row(slot).map(SlotRow::owner);
    }

    /** Returns the how manieth owner of the slot the present one is, 0 if nobody ever owned it. */
    public int ownershipOf(int slot) {
        return row(slot).map(SlotRow::ownership).orElse(0);
    }

    /** Returns all slots with an owner. */
    public SlotSet owned() {
        return SlotSet.of(rows.stream().map(SlotRow::slots).toList());
    }

    public SlotSet slotsOf(PartitionId owner) {
        return SlotSet.of(rows.stream()
                .filter(row -> row.owner().equals(owner))
                .map(SlotRow::slots)
                .toList());
    }

    /** Returns the slots of all owners that own any. */
    public Map<PartitionId, SlotSet> slots() {
        Map<PartitionId, List<SlotRange>> ranges = ranges(List.of());
        Map<PartitionId, SlotSet> slots = new LinkedHashMap<>();
        ranges.forEach((owner, owned) -> slots.put(owner, SlotSet.of(owned)));
        return slots;
    }

    /** Returns the hash slots that nobody owns. */
    public SlotSet unownedHashSlots() {
        return SlotSet.of(new SlotRange(0, HashSlot.COUNT - 1)).minus(owned());
    }

    /** Returns a table in which somebody has become the next owner of these slots, whether they had one or not. */
    public SlotTable withOwner(SlotSet slots, PartitionId owner) {
        List<SlotRow> changed = new ArrayList<>(without(slots).rows);
        slots.minus(owned()).ranges().forEach(range -> changed.add(new SlotRow(range, owner, 1)));
        for (SlotRow row : rows) {
            if (slots.intersects(row.slots())) {
                SlotSet.of(row.slots())
                        .and(slots)
                        .ranges()
                        .forEach(range -> changed.add(new SlotRow(range, owner, row.ownership() + 1)));
            }
        }
        return new SlotTable(changed);
    }

    /** Returns a table in which nobody owns these slots. */
    public SlotTable without(SlotSet slots) {
        List<SlotRow> kept = new ArrayList<>();
        for (SlotRow row : rows) {
            if (slots.intersects(row.slots())) {
                SlotSet.of(row.slots())
                        .minus(slots)
                        .ranges()
                        .forEach(range -> kept.add(new SlotRow(range, row.owner(), row.ownership())));
            } else {
                kept.add(row);
            }
        }
        return new SlotTable(kept);
    }

    /** Returns the ranges of each owner, those of the given partitions first, in their order. */
    Map<PartitionId, List<SlotRange>> ranges(List<PartitionId> first) {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        first.forEach(partition -> ranges.put(partition, new ArrayList<>()));
        rows.forEach(row ->
                ranges.computeIfAbsent(row.owner(), owner -> new ArrayList<>()).add(row.slots()));
        return ranges;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotTable table && rows.equals(table.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    @Override
    public String toString() {
        return rows.toString();
    }
}

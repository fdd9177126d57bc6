// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The owner of each slot, with a counter that increases each time the slot changes its owner. Immutable. No slot has
 * two owners.
 */
public record SlotTable(List<SlotRow> rows) {
    /** The slots of keys that have no place of their own. */
    public static final SlotSet HASH_SLOTS = SlotSet.of(new SlotRange(0, HashSlot.COUNT - 1));

    /** Sorts the rows and joins adjacent ones; throws an {@link InvalidMapException} if two rows have a common slot. */
    public SlotTable {
        rows = inOrder(rows);
    }

    public static SlotTable of(SlotMap map) {
        List<SlotRow> rows = new ArrayList<>();
        for (PartitionId owner : map.partitions()) {
            map.rangesOf(owner).forEach(range -> rows.add(new SlotRow(range, owner, 1)));
        }
        return new SlotTable(rows);
    }

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

    /** Returns a counter that increases each time the slot changes its owner, 0 if it never had one. */
    public int ownershipOf(int slot) {
        return row(slot).map(SlotRow::ownership).orElse(0);
    }

    public SlotSet owned() {
        return SlotSet.of(rows.stream().map(SlotRow::slots).toList());
    }

    public SlotSet slotsOf(PartitionId owner) {
        return SlotSet.of(rows.stream()
                .filter(row -> row.owner().equals(owner))
                .map(SlotRow::slots)
                .toList());
    }

    public Map<PartitionId, SlotSet> slots() {
        Map<PartitionId, List<SlotRange>> ranges = ranges(List.of());
        Map<PartitionId, SlotSet> slots = new LinkedHashMap<>();
        ranges.forEach((owner, owned) -> slots.put(owner, SlotSet.of(owned)));
        return slots;
    }

    public SlotSet unownedHashSlots() {
        return SlotSet.of(new SlotRange(0, HashSlot.COUNT - 1)).minus(owned());
    }

    /** Returns a table in which these slots, with or without an owner, have this new owner. */
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

    /** Returns the ranges of each owner, starting with these partitions. */
    Map<PartitionId, List<SlotRange>> ranges(List<PartitionId> first) {
        Map<PartitionId, List<SlotRange>> ranges = new LinkedHashMap<>();
        first.forEach(partition -> ranges.put(partition, new ArrayList<>()));
        rows.forEach(row ->
                ranges.computeIfAbsent(row.owner(), owner -> new ArrayList<>()).add(row.slots()));
        return ranges;
    }

    /** Returns the rows in ascending order, with adjacent ones joined; throws if two rows have a common slot. */
    private static List<SlotRow> inOrder(List<SlotRow> rows) {
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

    /**
     * Adjacent slots with the same owner and ownership number, which starts at 1 and increases with each change of owner.
     */
    record SlotRow(SlotRange slots, PartitionId owner, int ownership) {
        public SlotRow {
            if (ownership < 1) {
                throw new IllegalArgumentException(
                        "Ownership of slots %s is %d: must be at least 1".formatted(slots, ownership));
            }
        }

        boolean continues(SlotRow before) {
            return before.slots.last() + 1 == slots.first()
                    && before.owner.equals(owner)
                    && before.ownership == ownership;
        }

        SlotRow with(SlotRow next) {
            return new SlotRow(new SlotRange(slots.first(), next.slots.last()), owner, ownership);
        }
    }
}

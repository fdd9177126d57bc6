// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.map.InvalidMapException;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Placement;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.client.map.RangeType;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.map.Spread;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the placement of one root type. Each step returns a new content in which every key keeps its owner; a step
 * that would change an owner, or refers to a missing entry, is refused. Pure.
 */
public final class PlacementEdit {
    private final MapContent content;
    private final String type;
    private final Placement placement;
    private final SlotSet used;
    private int nextFree = HashSlot.COUNT;

    public PlacementEdit(MapContent content, String type) {
        this.content = content;
        this.type = type;
        this.used = content.placements().slots();
        this.placement = content.placements()
                .of(type)
                .orElseGet(() -> new Placement(type, null, Map.of(), List.of(), Placement.Otherwise.HASH));
    }

    /** Adds an entry unless it exists, and sets its terms. */
    public static MapContent set(MapContent content, String type, PlacedEntry entry, PlacementTerms terms) {
        MapContent changed = content;
        if (!new PlacementEdit(content, type).has(entry)) {
            changed = new PlacementEdit(changed, type).add(entry, terms.rangeType());
        }
        Integer width = terms.width();
        if (width != null) {
            changed = new PlacementEdit(changed, type).widen(entry, width);
        }
        Boolean isPinned = terms.isPinned();
        if (isPinned != null) {
            changed = new PlacementEdit(changed, type).change(entry, target -> target.pinned(isPinned));
        }
        Map<String, String> labels = terms.labels();
        return labels == null
                ? changed
                : new PlacementEdit(changed, type).change(entry, target -> target.withLabels(new TreeMap<>(labels)));
    }

    /**
     * Gives an entry its own slots: one for each owner of hash slots if it is hashed, because its keys may be at any of
     * them; as many as the range if it is a part of one. {@code rangeType} is null for a list, or if there are ranges.
     */
    public MapContent add(PlacedEntry entry, @Nullable RangeType rangeType) {
        if (has(entry)) {
            throw refused("%s has an entry %s".formatted(type, entry));
        }
        return addAll(List.of(entry), rangeType);
    }

    /** Works like {@link #add} for many entries, ignoring those that the placement has. */
    public MapContent addAll(Collection<PlacedEntry> entries, @Nullable RangeType rangeType) {
        RangeType ofRanges = rangeType == null ? placement.rangeType() : rangeType;
        SortedMap<String, PlacementTarget> list = new TreeMap<>(placement.list());
        List<Placement.PlacedRange> ranges = new ArrayList<>(placement.ranges());
        for (PlacedEntry entry : entries) {
            if (entry instanceof PlacedEntry.Id id) {
                list.computeIfAbsent(id.id(), text -> newTarget(spreadOf(placement.targetOf(text)), null));
            } else if (entry instanceof PlacedEntry.Range range && !has(range)) {
                ranges.add(new Placement.PlacedRange(range.low(), range.high(), newTarget(spreadOf(null), null)));
            }
        }
        if (ofRanges == null && !ranges.isEmpty()) {
            throw refused("the ranges of %s are the first: say what its ids are, by --of".formatted(type));
        }
        return content.place(new Placement(
                type,
                ranges.isEmpty() ? null : ofRanges,
                list,
                ofRanges == null ? ranges : Placement.PlacedRange.inOrder(ofRanges, ranges),
                placement.otherwise()));
    }

    /** Gives an entry 1, 2, 4 or 8 slots. Fewer are possible if the owners are the same. */
    public MapContent widen(PlacedEntry entry, int width) {
        return change(entry, target -> newTarget(Spread.over(width), target));
    }

    /** Gives an entry a slot for each owner of hash slots. After moves to these owners it can be removed. */
    public MapContent scatter(PlacedEntry entry) {
        return change(entry, target -> newTarget(byOwners(), target));
    }

    /** Divides a range at a bound: the upper part gets its own slots at the same owner. */
    public MapContent split(PlacedEntry.Range range, String bound) {
        Placement.PlacedRange divided = known(range);
        List<Placement.PlacedRange> ranges = new ArrayList<>(placement.ranges());
        int at = ranges.indexOf(divided);
        PlacementTarget target = divided.target();
        ranges.set(at, new Placement.PlacedRange(divided.low(), bound, target));
        ranges.add(at + 1, new Placement.PlacedRange(bound, divided.high(), newTarget(target.spread(), target)));
        return with(ranges);
    }

    /** Joins a range and the next one, which must have the same owners. */
    public MapContent join(PlacedEntry.Range range) {
        Placement.PlacedRange first = known(range);
        int at = placement.ranges().indexOf(first);
        Placement.PlacedRange next =
                at + 1 < placement.ranges().size() ? placement.ranges().get(at + 1) : null;
        if (next == null || !Objects.equals(first.high(), next.low())) {
            throw refused("no range of %s begins where %s ends".formatted(type, range));
        }
        List<Placement.PlacedRange> ranges = new ArrayList<>(placement.ranges());
        ranges.set(at, new Placement.PlacedRange(first.low(), next.high(), first.target()));
        ranges.remove(at + 1);
        return with(ranges);
    }

    /** Removes an entry whose keys are at the owners that they would have without it. */
    public MapContent remove(PlacedEntry entry) {
        if (entry instanceof PlacedEntry.Range range) {
            List<Placement.PlacedRange> ranges = new ArrayList<>(placement.ranges());
            ranges.remove(known(range));
            return with(ranges);
        }
        SortedMap<String, PlacementTarget> list = new TreeMap<>(placement.list());
        if (list.remove(entry.toString()) == null) {
            throw unknown(entry);
        }
        return place(list, placement.ranges(), placement.otherwise());
    }

    /** Returns whether the keys of an entry are at the owners that they would have without it. */
    public boolean mayRemove(PlacedEntry entry) {
        try {
            MapContent unused = remove(entry);
            return true;
        } catch (InvalidMapException e) {
            return false;
        }
    }

    /** Throws an {@link InvalidMapException} if an entry cannot be removed even after it was scattered to its homes. */
    public void requireRemovable(PlacedEntry entry) {
        MapContent scattered = scatter(entry);
        for (Map.Entry<Integer, PartitionId> home :
                new PlacementEdit(scattered, type).homes(entry).entrySet()) {
            scattered = scattered.give(SlotSet.of(home.getKey()), home.getValue());
        }
        MapContent unused = new PlacementEdit(scattered, type).remove(entry);
    }

    /** Returns the owner that the keys of each slot of a scattered entry would have without the entry. */
    public Map<Integer, PartitionId> homes(PlacedEntry entry) {
        PlacementTarget target = target(entry);
        List<SlotSet> shares = target.spread().shares(); // none if one partition has all hash slots
        Map<Integer, PartitionId> homes = new TreeMap<>();
        for (int slot = 0; slot < target.spread().count(); slot++) {
            int hashSlot =
                    shares.isEmpty() ? 0 : shares.get(slot).ranges().get(0).first();
            homes.put(target.first() + slot, content.slots().ownerOf(hashSlot).orElseThrow());
        }
        return homes;
    }

    public MapContent otherwise(Placement.Otherwise otherwise) {
        return place(placement.list(), placement.ranges(), otherwise);
    }

    public boolean has(PlacedEntry entry) {
        return entry instanceof PlacedEntry.Range range
                ? placement.ranges().stream().anyMatch(known -> isThat(known, range))
                : placement.list().containsKey(entry.toString());
    }

    private static boolean isThat(Placement.PlacedRange known, PlacedEntry.Range range) {
        return Objects.equals(known.low(), range.low()) && Objects.equals(known.high(), range.high());
    }

    public PlacementTarget target(PlacedEntry entry) {
        if (entry instanceof PlacedEntry.Range range) {
            return known(range).target();
        }
        PlacementTarget target = placement.list().get(entry.toString());
        if (target == null) {
            throw unknown(entry);
        }
        return target;
    }

    private MapContent change(PlacedEntry entry, UnaryOperator<PlacementTarget> change) {
        PlacementTarget changed = change.apply(target(entry));
        if (entry instanceof PlacedEntry.Range range) {
            List<Placement.PlacedRange> ranges = new ArrayList<>(placement.ranges());
            ranges.set(ranges.indexOf(known(range)), new Placement.PlacedRange(range.low(), range.high(), changed));
            return with(ranges);
        }
        SortedMap<String, PlacementTarget> list = new TreeMap<>(placement.list());
        list.put(entry.toString(), changed);
        return place(list, placement.ranges(), placement.otherwise());
    }

    private MapContent with(List<Placement.PlacedRange> ranges) {
        return place(placement.list(), ranges, placement.otherwise());
    }

    private MapContent place(
            Map<String, PlacementTarget> list, List<Placement.PlacedRange> ranges, Placement.Otherwise otherwise) {
        return list.isEmpty() && ranges.isEmpty() && otherwise == Placement.Otherwise.HASH
                ? content.displace(type)
                : content.place(
                        new Placement(type, ranges.isEmpty() ? null : placement.rangeType(), list, ranges, otherwise));
    }

    private Placement.PlacedRange known(PlacedEntry.Range range) {
        return placement.ranges().stream()
                .filter(known -> isThat(known, range))
                .findFirst()
                .orElseThrow(() -> unknown(range));
    }

    private Spread spreadOf(@Nullable PlacementTarget present) {
        return present == null ? byOwners() : present.spread();
    }

    private Spread byOwners() {
        List<SlotSet> shares = content.slots().slots().values().stream()
                .map(slots -> slots.and(SlotTable.HASH_SLOTS))
                .filter(slots -> !slots.isEmpty())
                .toList();
        return shares.size() == 1 ? Spread.over(1) : Spread.byShares(shares);
    }

    /** Returns the lowest slots that no placement uses and that were not returned before, with the terms of a target. */
    private PlacementTarget newTarget(Spread spread, @Nullable PlacementTarget terms) {
        int first = nextFree;
        int free = 0;
        while (free < spread.count()) {
            if (first + free >= SlotRange.END) {
                throw refused("no %d slots next to each other are free for an entry".formatted(spread.count()));
            }
            if (used.contains(first + free)) {
                first += free + 1;
                free = 0;
            } else {
                free++;
            }
        }
        nextFree = first + free;
        return terms == null
                ? PlacementTarget.of(first, spread)
                : new PlacementTarget(first, spread, terms.labels(), terms.isPinned());
    }

    private InvalidMapException unknown(PlacedEntry entry) {
        return refused("%s has no entry %s".formatted(type, entry));
    }

    private static InvalidMapException refused(String why) {
        return new InvalidMapException(List.of(why));
    }
}

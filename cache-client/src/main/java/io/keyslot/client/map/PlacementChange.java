// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.Element;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A change of placements. The rule: <b>no key changes its owner</b>. Keys change their slots, and the owner of a new
 * slot is the owner that its keys had. So clients with the old and the new placements use the same partition, and no
 * stored data has to move. Only a move changes an owner, with its safeguards.
 *
 * <p>A slot that keys leave or enter must not be part of a move before or after the change, because clients of both
 * maps must mean the same slot by its fence. A key without a place counts as being in its hash slot, where it was
 * stored before.
 */
final class PlacementChange {
    private final MapContent before;
    private final Placements next;
    private final SlotSet placed;
    private final List<String> problems = new ArrayList<>();

    /** Arrays, because each of possibly thousands of entries is compared for all hash slots. */
    private final @Nullable PartitionId[] ownersBefore = new @Nullable PartitionId[SlotRange.END];

    /** The required owners of new slots: those of the slots that their keys come from. */
    private final @Nullable PartitionId[] owners = new @Nullable PartitionId[SlotRange.END];

    private final BitSet touched = new BitSet();

    private PlacementChange(MapContent before, Placements next) {
        this.before = before;
        this.next = next;
        this.placed = before.placements().slots();
        if (!before.placements().equals(next)) {
            before.slots()
                    .rows()
                    .forEach(row -> Arrays.fill(
                            ownersBefore, row.slots().first(), row.slots().last() + 1, row.owner()));
            Set<String> types = new LinkedHashSet<>();
            before.placements().all().forEach(placement -> types.add(placement.rootType()));
            next.all().forEach(placement -> types.add(placement.rootType()));
            types.forEach(this::compare);
            checkMoves();
        }
    }

    /**
     * Returns the owners after a change of the placements; throws an {@link InvalidMapException} with what must be done
     * first if a key would change its owner.
     */
    static SlotTable owners(MapContent before, Placements next) {
        PlacementChange change = new PlacementChange(before, next);
        if (!change.problems.isEmpty()) {
            throw new InvalidMapException(change.problems);
        }
        SlotSet forgotten = before.placements().slots().minus(next.slots());
        SlotTable kept = before.slots().without(forgotten);
        Map<PartitionId, BitSet> given = new TreeMap<>(Comparator.comparing(PartitionId::name));
        change.forEachOwner((slot, owner) -> {
            if (kept.ownerOf(slot).isEmpty()) {
                given.computeIfAbsent(owner, first -> new BitSet()).set(slot);
            }
        });
        SlotTable table = kept;
        for (Map.Entry<PartitionId, BitSet> owner : given.entrySet()) {
            table = table.withOwner(SlotSet.of(owner.getValue().stream()), owner.getKey());
        }
        return table;
    }

    private void forEachOwner(BiConsumer<Integer, PartitionId> action) {
        for (int slot = 0; slot < owners.length; slot++) {
            PartitionId owner = owners[slot];
            if (owner != null) {
                action.accept(slot, owner);
            }
        }
    }

    /** Returns the problems of the placements of a content that directly follows another one. */
    static List<String> problems(MapContent before, MapContent after) {
        PlacementChange change = new PlacementChange(before, after.placements());
        change.forEachOwner((slot, owner) -> {
            Optional<PartitionId> given = after.slots().ownerOf(slot);
            if (!given.equals(Optional.of(owner))) {
                change.problems.add("slot %d has keys that are at %s, and is given to %s"
                        .formatted(slot, owner, given.map(PartitionId::name).orElse("no partition")));
            }
        });
        return change.problems;
    }

    /** Compares the old and new slots of all keys of a type. */
    private void compare(String type) {
        Placement was = placement(before.placements(), type);
        Placement is = placement(next, type);
        if (was.rangeType() != null && is.rangeType() != null && was.rangeType() != is.rangeType()) {
            problems.add("the ranges of %s are of %s, and would be of %s: take them out first"
                    .formatted(type, was.rangeType(), is.rangeType()));
            return;
        }
        Set<String> ids = new LinkedHashSet<>(was.list().keySet());
        ids.addAll(is.list().keySet());
        ids.forEach(id -> compare(was.targetOf(id), is.targetOf(id), "the entry of %s in a list".formatted(type)));
        Set<Element> bounds = was.bounds();
        bounds.addAll(is.bounds());
        String ranges = "a range of %s".formatted(type);
        bounds.forEach(bound -> compare(was.targetInRanges(bound), is.targetInRanges(bound), ranges));
    }

    private static Placement placement(Placements placements, String type) {
        return placements
                .of(type)
                .orElseGet(() -> new Placement(type, null, Map.of(), List.of(), Placement.Otherwise.HASH));
    }

    private void compare(@Nullable PlacementTarget was, @Nullable PlacementTarget is, String what) {
        if (Objects.equals(was, is) || (was != null && is != null && was.isAt(is))) {
            return;
        }
        BitSet torn = new BitSet();
        for (int hash = 0; hash < (isByBits(was) && isByBits(is) ? Spread.LARGEST_WIDTH : HashSlot.COUNT); hash++) {
            int from = was == null ? hash : was.slotOf(hash);
            int to = is == null ? hash : is.slotOf(hash);
            if (from != to && !isKept(from, to, is)) {
                torn.set(to);
            }
        }
        if (!torn.isEmpty()) {
            problems.add(
                    ("%s would get another owner: keys of several partitions would be in slots %s. Give it slots of its own,"
                                    + " one for each partition that has keys of it, and move these first")
                            .formatted(what, SlotSet.of(torn.stream())));
        }
    }

    private static boolean isByBits(@Nullable PlacementTarget target) {
        return target != null && target.spread().shares().isEmpty();
    }

    /** Returns whether keys that change the slot keep their owner, which gets the new slot. */
    private boolean isKept(int from, int to, @Nullable PlacementTarget is) {
        touched.set(from);
        touched.set(to);
        PartitionId owner = ownersBefore[from];
        PartitionId other = ownerOf(to, is);
        if (other == null) {
            owners[to] = owner;
        }
        return other == null || other.equals(owner);
    }

    /** Returns the owner of a slot, also one determined by keys compared before; null if the slot is new. */
    private @Nullable PartitionId ownerOf(int slot, @Nullable PlacementTarget is) {
        PartitionId known = owners[slot];
        if (known != null || (is != null && !placed.contains(slot))) {
            return known;
        }
        return ownersBefore[slot];
    }

    private void checkMoves() {
        SlotSet slots = SlotSet.of(touched.stream());
        before.moves().stream()
                .filter(move -> move.slots().intersects(slots))
                .forEach(move -> problems.add("slots %s are part of move %s, and keys would come to them or leave them"
                        .formatted(move.slots().and(slots), move.id())));
    }
}

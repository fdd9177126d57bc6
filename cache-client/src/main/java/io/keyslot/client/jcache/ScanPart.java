// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The slots whose keys one partition lists: those that it owned when the scan began or reached it. It excludes slots
 * that are moving to or from the partition, and keys without a placement, which cannot be read. Immutable.
 */
record ScanPart(PartitionId partition, Layout layout, BitSet slots, Predicate<EncodedKey> wanted, int followed) {
    /** How often a slot is followed while servers keep moving it. */
    static final int MOST_FOLLOWED = 16;

    static List<ScanPart> of(Layout layout) {
        return layout.slotMap().partitions().stream()
                .map(partition -> new ScanPart(partition, layout, slotsOf(partition, layout), layout::isPlaced, 0))
                .toList();
    }

    private static BitSet slotsOf(PartitionId partition, Layout layout) {
        BitSet slots = new BitSet();
        for (SlotRange range : layout.slotMap().rangesOf(partition)) {
            slots.set(range.first(), range.last() + 1);
        }
        return slots;
    }

    /** Returns parts for the keys that other partitions own now. */
    List<ScanPart> movedBy(Layout now) {
        return now.slots().equals(layout.slots()) ? movedSlots(now) : movedKeys(now);
    }

    private List<ScanPart> movedSlots(Layout now) {
        return following(now, slot -> now.slotMap().ownerOf(slot).filter(other -> !other.equals(partition)));
    }

    /**
     * Returns parts for the slots that, after all keys were listed, are elsewhere or leaving according to the server: a
     * key that it did not list had left before, and is there. A server that receives a slot has all keys that had left
     * the slot's owner when the owner was asked.
     */
    List<ScanPart> leftBy(ServedSlots said, Layout now) {
        return followed == MOST_FOLLOWED ? List.of() : following(now, slot -> said.elsewhere(slot, partition));
    }

    private List<ScanPart> following(Layout now, IntFunction<Optional<PartitionId>> target) {
        Map<PartitionId, BitSet> moved = new LinkedHashMap<>();
        slots.stream()
                .forEach(slot -> target.apply(slot)
                        .ifPresent(other -> moved.computeIfAbsent(other, first -> new BitSet())
                                .set(slot)));
        List<ScanPart> parts = new ArrayList<>();
        moved.forEach((owner, its) -> parts.add(new ScanPart(owner, now, its, wanted, followed + 1)));
        return parts;
    }

    /** Returns parts for all other partitions, as keys have other slots in the new layout. */
    private List<ScanPart> movedKeys(Layout now) {
        return now.slotMap().partitions().stream()
                .filter(other -> !other.equals(partition))
                .map(other -> new ScanPart(other, now, slotsOf(other, now), this::has, followed + 1))
                .toList();
    }

    /** Returns whether the partition owns none of the part's keys in this layout. */
    boolean isGoneBy(Layout now) {
        SlotMap map = now.slotMap();
        if (now.isOfServers() && isContinued()) {
            return false; // no layout shows the target of a half-moved slot as its owner
        }
        if (!now.slots().equals(layout.slots())) {
            return map.rangesOf(partition).isEmpty();
        }
        return !slots.isEmpty()
                && slots.stream()
                        .noneMatch(slot ->
                                map.ownerOf(slot).filter(partition::equals).isPresent());
    }

    boolean has(EncodedKey key) {
        return slots.get(layout.slotOf(key)) && wanted.test(key);
    }

    /** Returns whether the previous owner of the slots may have listed some of the keys already. */
    boolean isContinued() {
        return followed > 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.call;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Slots whose keys are listed by one partition: those that it owned when the walk over all keys began, or came to it. What
 * counts is that moment: while slots move, a partition has keys of slots that it does not own yet, or any more. Immutable.
 */
public final class ScanPart {
    private final PartitionId partition;
    private final BitSet slots; // never changed
    private final boolean isContinued;

    private ScanPart(PartitionId partition, BitSet slots, boolean isContinued) {
        this.partition = partition;
        this.slots = slots;
        this.isContinued = isContinued;
    }

    /** Returns a part for each partition of the map. */
    static List<ScanPart> of(SlotMap map) {
        List<ScanPart> parts = new ArrayList<>();
        for (PartitionId partition : map.partitions()) {
            BitSet slots = new BitSet();
            for (SlotRange range : map.rangesOf(partition)) {
                slots.set(range.first(), range.last() + 1);
            }
            parts.add(new ScanPart(partition, slots, false));
        }
        return parts;
    }

    /** Returns parts for those of the slots that other partitions own by now: their keys may be there. */
    List<ScanPart> movedBy(SlotMap now) {
        Map<PartitionId, BitSet> moved = new LinkedHashMap<>();
        slots.stream().forEach(slot -> {
            Optional<PartitionId> owner = now.ownerOf(slot).filter(other -> !other.equals(partition));
            owner.ifPresent(
                    other -> moved.computeIfAbsent(other, first -> new BitSet()).set(slot));
        });
        List<ScanPart> parts = new ArrayList<>();
        moved.forEach((owner, its) -> parts.add(new ScanPart(owner, its, true)));
        return parts;
    }

    /** Returns whether the partition owns none of the slots by this map. */
    boolean isGoneBy(SlotMap now) {
        return !slots.isEmpty()
                && slots.stream()
                        .noneMatch(slot ->
                                now.ownerOf(slot).filter(partition::equals).isPresent());
    }

    public PartitionId partition() {
        return partition;
    }

    boolean has(int slot) {
        return slots.get(slot);
    }

    /** Returns whether keys of it may have been listed before, by the partition that owned the slots then. */
    public boolean isContinued() {
        return isContinued;
    }
}

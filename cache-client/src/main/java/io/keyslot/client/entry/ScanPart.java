// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.partition.ServedSlots;
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
 * Slots whose keys are listed by one partition: those that it owned when the walk over all keys began, or came to it. What
 * counts is that moment: while slots move, a partition has keys of slots that it does not own yet, or any more. A key that has no
 * place is not listed: nobody may read it. Immutable.
 */
public final class ScanPart {
    /** A slot is not followed further while servers go on moving it. */
    static final int MOST_FOLLOWED = 16;

    private final PartitionId partition;
    private final Layout layout; // by which a key is in a slot
    private final BitSet slots; // never changed
    private final Predicate<EncodedKey> wanted;
    private final int followed;

    private ScanPart(PartitionId partition, Layout layout, BitSet slots, Predicate<EncodedKey> wanted, int followed) {
        this.partition = partition;
        this.layout = layout;
        this.slots = slots;
        this.wanted = wanted;
        this.followed = followed;
    }

    /** Returns a part for each partition of the layout. */
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

    /** Returns parts for those of the keys that other partitions own by now: they may be there. */
    List<ScanPart> movedBy(Layout now) {
        return now.slots().equals(layout.slots()) ? movedSlots(now) : movedKeys(now);
    }

    private List<ScanPart> movedSlots(Layout now) {
        return following(now, slot -> now.slotMap().ownerOf(slot).filter(other -> !other.equals(partition)));
    }

    /**
     * Returns parts for those of the slots that the server says, when all of its keys have been listed, are elsewhere, or are leaving:
     * a key that it did not list had left before, and is there. A server that is getting a slot has what had left its owner when
     * that was asked.
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

    /** Keys are in other slots by now, which may have moved since: any other partition may have any of them. */
    private List<ScanPart> movedKeys(Layout now) {
        return now.slotMap().partitions().stream()
                .filter(other -> !other.equals(partition))
                .map(other -> new ScanPart(other, now, slotsOf(other, now), this::has, followed + 1))
                .toList();
    }

    /** Returns whether the partition owns none of the keys by this layout. */
    boolean isGoneBy(Layout now) {
        SlotMap map = now.slotMap();
        if (now.isOfServers() && isContinued()) {
            return false; // a slot that is half way is not its own yet by any map
        }
        if (!now.slots().equals(layout.slots())) {
            return map.rangesOf(partition).isEmpty();
        }
        return !slots.isEmpty()
                && slots.stream()
                        .noneMatch(slot ->
                                map.ownerOf(slot).filter(partition::equals).isPresent());
    }

    public PartitionId partition() {
        return partition;
    }

    boolean has(EncodedKey key) {
        return slots.get(layout.slotOf(key)) && wanted.test(key);
    }

    /** Returns whether keys of it may have been listed before, by the partition that owned the slots then. */
    public boolean isContinued() {
        return followed > 0;
    }
}

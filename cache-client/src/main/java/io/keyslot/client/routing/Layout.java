// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@link TopologySource} says: who owns what, and where the partitions are. Of two, the one whose slot map has the
 * higher version is the newer.
 *
 * @param slotMap who owns each slot
 * @param partitions the partitions that are asked, in the order in which they are shown; one that the map names and that
 *     is not here is asked by nobody
 * @param onTheirWay the slots that are on their way from one partition to another, each with the one of the two that does
 *     not own it. Commands about them are {@linkplain io.keyslot.client.partition.Route#isFenced() fenced}
 * @param slots which slot each key is in
 * @param isOfServers whether the servers move slots by themselves, one at a time: only who asks for a slot hears of it
 */
public record Layout(
        SlotMap slotMap,
        List<PartitionOptions> partitions,
        Map<Integer, PartitionId> onTheirWay,
        KeySlots slots,
        boolean isOfServers) {
    public Layout {
        partitions = List.copyOf(partitions);
        // Not Map.copyOf: asked for a number that it does not have, its map of neighbouring numbers looks at all of
        // them.
        onTheirWay = Collections.unmodifiableMap(new HashMap<>(onTheirWay));
    }

    /** Creates a layout in which slots stay until there is a newer one. */
    public Layout(
            SlotMap slotMap, List<PartitionOptions> partitions, Map<Integer, PartitionId> onTheirWay, KeySlots slots) {
        this(slotMap, partitions, onTheirWay, slots, false);
    }

    /** Creates a layout in which no slot is on its way, and all keys are hashed. */
    public Layout(SlotMap slotMap, List<PartitionOptions> partitions) {
        this(slotMap, partitions, Map.of());
    }

    /** Creates a layout in which all keys are hashed. */
    public Layout(SlotMap slotMap, List<PartitionOptions> partitions, Map<Integer, PartitionId> onTheirWay) {
        this(slotMap, partitions, onTheirWay, KeySlots.HASHED);
    }

    /** Creates a layout of what servers say of themselves. */
    public static Layout ofServers(SlotMap slotMap, List<PartitionOptions> partitions) {
        return new Layout(slotMap, partitions, Map.of(), KeySlots.HASHED, true);
    }

    /** Returns the slot in which a key is stored. */
    public int slotOf(EncodedKey key) {
        return slots.slotOf(key);
    }

    /** Returns who owns the slot of a key, or empty if nobody does. */
    public Optional<PartitionId> ownerOf(EncodedKey key) {
        return slotMap.ownerOf(slotOf(key));
    }

    /** Returns whether a key may be used: unless its type has a placement that refuses whoever has no place. */
    public boolean isPlaced(EncodedKey key) {
        return slots.placeOf(key) >= 0;
    }

    long version() {
        return slotMap.version();
    }
}

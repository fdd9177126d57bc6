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
import org.jspecify.annotations.Nullable;

/**
 * The slot owners and partitions of a {@link TopologySource}. The layout with the higher slot map version is newer.
 * Partitions are in display order; one of the map that is not listed receives no commands. {@code onTheirWay} has the
 * moving slots, each with the partition that takes part in the move but does not own the slot; their commands are
 * {@linkplain io.keyslot.client.partition.Route#isFenced() fenced}. With {@code isOfServers}, the servers move slots
 * themselves, one at a time, so that clients learn of it only by redirects. {@code cold} names the move of each slot on its
 * way whose entries were not copied to its owner; see {@link ColdKeys}.
 */
public record Layout(
        SlotMap slotMap,
        List<PartitionOptions> partitions,
        Map<Integer, PartitionId> onTheirWay,
        KeySlots slots,
        boolean isOfServers,
        Map<Integer, String> cold) {
    public Layout {
        partitions = List.copyOf(partitions);
        // Not Map.copyOf: with adjacent numbers as keys, looking up an absent key there scans all of them.
        onTheirWay = Collections.unmodifiableMap(new HashMap<>(onTheirWay));
        cold = Collections.unmodifiableMap(new HashMap<>(cold));
    }

    public Layout(
            SlotMap slotMap, List<PartitionOptions> partitions, Map<Integer, PartitionId> onTheirWay, KeySlots slots) {
        this(slotMap, partitions, onTheirWay, slots, false, Map.of());
    }

    public Layout(SlotMap slotMap, List<PartitionOptions> partitions) {
        this(slotMap, partitions, Map.of());
    }

    public Layout(SlotMap slotMap, List<PartitionOptions> partitions, Map<Integer, PartitionId> onTheirWay) {
        this(slotMap, partitions, onTheirWay, KeySlots.HASHED);
    }

    public static Layout ofServers(SlotMap slotMap, List<PartitionOptions> partitions) {
        return new Layout(slotMap, partitions, Map.of(), KeySlots.HASHED, true, Map.of());
    }

    public int slotOf(EncodedKey key) {
        return slots.slotOf(key);
    }

    /** Returns whether a key may be used: not if the placement of its type refuses keys without a place. */
    public boolean isPlaced(EncodedKey key) {
        return slots.placeOf(key) >= 0;
    }

    /** Returns the options of a partition, null if it is not listed. */
    public @Nullable PartitionOptions optionsOf(PartitionId id) {
        for (PartitionOptions partition : partitions) {
            if (partition.name().equals(id)) {
                return partition;
            }
        }
        return null;
    }

    long version() {
        return slotMap.version();
    }
}

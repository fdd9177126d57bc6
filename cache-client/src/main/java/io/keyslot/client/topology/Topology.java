// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.topology;

import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who owns each slot, and the partitions that can be asked, at one moment. Immutable: whoever has one has both. */
public final class Topology {
    private final SlotMap slotMap;
    private final Map<Integer, PartitionId> onTheirWay;
    private final Map<PartitionId, Partition> partitions;
    private final Route plain;
    private final Route fenced;

    /** Where commands go that ask no fence. */
    private final Map<PartitionId, Place> staying = new HashMap<>();

    /** By slot; null where nobody owns it. */
    private final @Nullable Place[] places;

    Topology(Layout layout, Map<PartitionId, Partition> partitions) {
        this.slotMap = layout.slotMap();
        this.onTheirWay = layout.onTheirWay();
        this.partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
        this.plain = Route.plain(slotMap.version());
        this.fenced = Route.fenced(slotMap.version());
        partitions.forEach((id, partition) -> staying.put(id, new Place(id, partition, plain)));
        this.places = new Place[lastSlot(slotMap) + 1];
        for (PartitionId id : slotMap.partitions()) {
            Place staying = staying(id);
            Place going = new Place(id, partitions.get(id), fenced);
            for (SlotRange range : slotMap.rangesOf(id)) {
                for (int slot = range.first(); slot <= range.last(); slot++) {
                    places[slot] = onTheirWay.containsKey(slot) ? going : staying;
                }
            }
        }
    }

    private static int lastSlot(SlotMap map) {
        return map.partitions().stream()
                .flatMap(id -> map.rangesOf(id).stream())
                .mapToInt(SlotRange::last)
                .reduce(HashSlot.COUNT - 1, Math::max);
    }

    private Place staying(PartitionId id) {
        Place place = staying.get(id);
        return place == null ? new Place(id, null, plain) : place;
    }

    public SlotMap slotMap() {
        return slotMap;
    }

    public long version() {
        return plain.mapVersion();
    }

    /** Returns the partitions in the order of the {@link Layout}. */
    public List<Partition> partitions() {
        return List.copyOf(partitions.values());
    }

    /** Returns the partition of that name, null if there is none to be asked. */
    public @Nullable Partition partition(PartitionId id) {
        return partitions.get(id);
    }

    /** Returns where commands about a slot go; null if nobody owns it. One look at an array. */
    public @Nullable Place placeOf(int slot) {
        return slot < places.length ? places[slot] : null;
    }

    /**
     * Returns how a command about these keys, or none, goes to a partition that need not own their slots; null if it gives or
     * gets one of them at present. The keys are of slots that all stay where they are, or all are on their way.
     */
    public @Nullable Place placeAt(PartitionId id, List<EncodedKey> keys) {
        if (!onTheirWay.isEmpty() && keys.stream().anyMatch(key -> isOtherEnd(id, key.slot()))) {
            return null;
        }
        boolean isFenced = !onTheirWay.isEmpty()
                && keys.stream().anyMatch(key -> isOnItsWay(key.slot()) && isOwner(id, key.slot()));
        return isFenced ? new Place(id, partitions.get(id), fenced) : staying(id);
    }

    private boolean isOwner(PartitionId id, int slot) {
        Place place = placeOf(slot);
        return place != null && place.id().equals(id);
    }

    /** Returns how a partition deletes what it has of a slot: what it gives or gets, it gives or gets without. */
    public Route routeAt(PartitionId id, int slot) {
        return isOnItsWay(slot) && isOwner(id, slot) ? fenced : plain;
    }

    /** Returns whether the partition owned the slot by an older topology, and another one does by this. */
    boolean hasTakenFrom(PartitionId id, int slot, Topology older) {
        return older.isOwner(id, slot) && placeOf(slot) != null && !isOwner(id, slot);
    }

    /** Returns whether commands about the slot are fenced. */
    public boolean isOnItsWay(int slot) {
        return !onTheirWay.isEmpty() && onTheirWay.containsKey(slot);
    }

    /** Returns whether a partition gives or gets this slot at present, and does not own it: nothing of it is to be asked there. */
    public boolean isOtherEnd(PartitionId id, int slot) {
        return !onTheirWay.isEmpty() && id.equals(onTheirWay.get(slot));
    }

    /** Returns the partition that is to be asked for a slot; empty if nobody owns it, or its owner cannot be asked. */
    public Optional<Partition> ownerOf(int slot) {
        Place place = placeOf(slot);
        return place == null ? Optional.empty() : Optional.ofNullable(place.partition());
    }
}

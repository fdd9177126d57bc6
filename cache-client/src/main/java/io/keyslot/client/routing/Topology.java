// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.map.RootText;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who owns each slot, and the partitions that can be asked, at one moment. Immutable: whoever has one has both. */
public final class Topology {
    private final Layout layout;
    private final SlotMap slotMap;
    private final @Nullable KeySlots placed; // null if all keys are hashed
    private final Map<Integer, PartitionId> onTheirWay;
    private final Map<PartitionId, Partition> partitions;
    private final Route plain;
    private final Route fenced;

    /** Where commands go that ask no fence. */
    private final Map<PartitionId, Place> staying = new HashMap<>();

    /** By slot; null where nobody owns it. */
    private final @Nullable Place[] places;

    Topology(Layout layout, Map<PartitionId, Partition> partitions) {
        this.layout = layout;
        this.slotMap = layout.slotMap();
        this.placed = layout.slots().equals(KeySlots.HASHED) ? null : layout.slots();
        this.onTheirWay = layout.onTheirWay();
        this.partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
        this.plain = Route.plain(slotMap.version());
        this.fenced = Route.fenced(slotMap.version(), layout.slots());
        partitions.forEach((id, partition) -> staying.put(id, new Place(id, partition, plain)));
        this.places = new Place[lastSlot(slotMap) + 1];
        for (PartitionId id : slotMap.partitions()) {
            Place staying = placeAt(id);
            for (SlotRange range : slotMap.rangesOf(id)) {
                Arrays.fill(places, range.first(), range.last() + 1, staying);
            }
        }
        fence(places, partitions);
    }

    /** Few slots are on their way, and each newer map is of interest because of a few: nothing is asked about each of all slots. */
    private void fence(@Nullable Place[] all, Map<PartitionId, Partition> asked) {
        Map<PartitionId, Place> going = new HashMap<>();
        for (int slot : onTheirWay.keySet()) {
            Place place = slot < all.length ? all[slot] : null;
            if (place != null) {
                all[slot] = going.computeIfAbsent(place.id(), id -> new Place(id, asked.get(id), fenced));
            }
        }
    }

    private static int lastSlot(SlotMap map) {
        return map.partitions().stream()
                .flatMap(id -> map.rangesOf(id).stream())
                .mapToInt(SlotRange::last)
                .reduce(HashSlot.COUNT - 1, Math::max);
    }

    /** Returns how a command goes to a partition, whatever slots that owns: no fence is asked. */
    public Place placeAt(PartitionId id) {
        Place place = staying.get(id);
        return place == null ? new Place(id, null, plain) : place;
    }

    /** Returns what this was made of. */
    public Layout layout() {
        return layout;
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

    /** Returns the slot in which a key is stored: the one that a placement gives it, else its hash slot. */
    public int slotOf(EncodedKey key) {
        return placed == null ? key.slot() : placed.slotOf(key);
    }

    /**
     * Returns where commands about a key go; null if it has no place, or nobody owns its slot. One look at an array, unless there
     * are placements.
     */
    public @Nullable Place placeOf(EncodedKey key) {
        return placeAt(placed == null ? key.slot() : placed.placeOf(key));
    }

    /** As {@link #placeOf}, of what may be stored under a key, whether or not it may be used. */
    public @Nullable Place storeOf(EncodedKey key) {
        return placeAt(slotOf(key));
    }

    private @Nullable Place placeAt(int slot) {
        return slot >= 0 && slot < places.length ? places[slot] : null;
    }

    /** Returns how many slots there may be, those of placements included. */
    public int slots() {
        return places.length;
    }

    /** Returns whether a slot is at the same partition by an older topology, and on its way by neither. */
    public boolean keeps(int slot, Topology older) {
        Place now = placeAt(slot);
        Place before = older.placeAt(slot);
        return now != null
                && before != null
                && Objects.equals(now.partition(), before.partition())
                && !now.route().isFenced()
                && !before.route().isFenced();
    }

    /** Returns why {@link #placeOf} says null, and what to do. */
    public String whyUnavailable(EncodedKey key) {
        if (placed != null && placed.placeOf(key) < 0) {
            String type = RootText.of(key).type();
            return ("the key has no place: by slot map version %d every key of the root type %s needs one"
                            + " (else: refuse). Give it one: keyslot placement set %s <id>")
                    .formatted(version(), type, type);
        }
        return "slot %d has no owner in slot map version %d".formatted(slotOf(key), version());
    }

    private boolean isOwner(PartitionId id, EncodedKey key) {
        Place place = storeOf(key);
        return place != null && place.id().equals(id);
    }

    /** Returns how a partition deletes what it has of a slot: what it gives or gets, it gives or gets without. */
    public Route routeAt(PartitionId id, EncodedKey key) {
        return isOnItsWay(key) && isOwner(id, key) ? fenced : plain;
    }

    /** Returns whether the partition owned the slot of a key by an older topology, and another one does by this. */
    boolean hasTakenFrom(PartitionId id, EncodedKey key, Topology older) {
        return older.isOwner(id, key) && storeOf(key) != null && !isOwner(id, key);
    }

    /** Returns who owns slots by this that a partition owned by an older topology. */
    Set<Partition> takersFrom(PartitionId id, Topology older) {
        Set<Partition> takers = new LinkedHashSet<>();
        for (int slot = 0; slot < older.places.length; slot++) {
            Place before = older.placeAt(slot);
            Place after = placeAt(slot);
            if (before != null
                    && before.id().equals(id)
                    && after != null
                    && !after.id().equals(id)) {
                Partition taker = after.partition();
                if (taker != null) {
                    takers.add(taker);
                }
            }
        }
        return takers;
    }

    /** Returns whether commands about the key are fenced. */
    private boolean isOnItsWay(EncodedKey key) {
        return !onTheirWay.isEmpty() && onTheirWay.containsKey(slotOf(key));
    }

    /**
     * Returns whether a partition gives or gets the slot of this key at present, and does not own it: nothing of it is to be asked
     * there.
     */
    boolean isOtherEnd(PartitionId id, EncodedKey key) {
        return !onTheirWay.isEmpty() && id.equals(onTheirWay.get(slotOf(key)));
    }

    /** Returns the partition that has what is stored under a key; empty if nobody owns its slot, or the owner cannot be asked. */
    public Optional<Partition> ownerOf(EncodedKey key) {
        Place place = storeOf(key);
        return place == null ? Optional.empty() : Optional.ofNullable(place.partition());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.health.Partition;
import io.keyslot.client.map.Placements;
import io.keyslot.client.partition.Route;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The owner of each slot and the partitions, at one moment. Immutable. */
public final class Topology {
    private final Layout layout;
    private final SlotMap slotMap;
    private final @Nullable KeySlots placed; // null if all keys are hashed
    private final Map<Integer, PartitionId> onTheirWay;
    private final Map<PartitionId, Partition> partitions;
    private final Route plain;
    private final Route fenced;

    private final Map<PartitionId, Place> staying = new HashMap<>();

    private final @Nullable Place[] places;
    private final Map<String, Former> formers = new HashMap<>();

    Topology(Layout layout, Map<PartitionId, Partition> partitions, @Nullable Topology older) {
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
        fence(places, older);
    }

    /** Visits only the moving slots, not all: maps often change because of a few slots. */
    private void fence(@Nullable Place[] all, @Nullable Topology older) {
        Map<Object, Place> going = new HashMap<>();
        onTheirWay.forEach((slot, other) -> {
            Place place = slot < all.length ? all[slot] : null;
            if (place != null) {
                String move = layout.cold().get(slot);
                Partition partition = partitions.get(other);
                Former former = move == null || partition == null
                        ? null
                        : formers.computeIfAbsent(move, id -> former(id, partition, older));
                all[slot] = going.computeIfAbsent(
                        former == null ? place.id() : former.move(),
                        key -> new Place(place.id(), place.partition(), fenced, former));
            }
        });
    }

    private Former former(String move, Partition partition, @Nullable Topology older) {
        Former before = older == null ? null : older.formers.get(move);
        Set<EncodedKey> gone = before == null ? ConcurrentHashMap.newKeySet() : before.gone();
        return new Former(move, partition, layout.slots(), gone);
    }

    private static int lastSlot(SlotMap map) {
        return map.partitions().stream()
                .flatMap(id -> map.rangesOf(id).stream())
                .mapToInt(SlotRange::last)
                .reduce(HashSlot.COUNT - 1, Math::max);
    }

    /** Returns the place of a partition for commands without a fence. */
    public Place placeAt(PartitionId id) {
        Place place = staying.get(id);
        return place == null ? new Place(id, null, plain) : place;
    }

    public Layout layout() {
        return layout;
    }

    public SlotMap slotMap() {
        return slotMap;
    }

    public long version() {
        return plain.mapVersion();
    }

    public List<Partition> partitions() {
        return List.copyOf(partitions.values());
    }

    public @Nullable Partition partition(PartitionId id) {
        return partitions.get(id);
    }

    /** Returns the slot of a key: from its placement, else its hash slot. */
    public int slotOf(EncodedKey key) {
        return placed == null ? key.slot() : placed.slotOf(key);
    }

    /**
     * Returns the place of a key; null if it has none or its slot has no owner. One array access, except with
     * placements.
     */
    public @Nullable Place placeOf(EncodedKey key) {
        return placeAt(placed == null ? key.slot() : placed.placeOf(key));
    }

    /** Returns the place where a key's value may be stored, even if a placement refuses the key. */
    public @Nullable Place storeOf(EncodedKey key) {
        return placeAt(slotOf(key));
    }

    private @Nullable Place placeAt(int slot) {
        return slot >= 0 && slot < places.length ? places[slot] : null;
    }

    public int slots() {
        return places.length;
    }

    /** Returns whether a slot has the same partition in both topologies, and is moving in neither. */
    public boolean keeps(int slot, Topology older) {
        Place now = placeAt(slot);
        Place before = older.placeAt(slot);
        return now != null
                && before != null
                && Objects.equals(now.partition(), before.partition())
                && !now.route().isFenced()
                && !before.route().isFenced();
    }

    /** Returns why {@link #placeOf} is null, and what to do. */
    public String whyUnavailable(EncodedKey key) {
        if (placed != null && placed.placeOf(key) < 0) {
            String type = Placements.rootTypeOf(key);
            return ("the key has no place: by slot map version %d every key of the root type %s needs one"
                            + " (else: refuse). Give it one: keyslot placement set %s ID --to PARTITION")
                    .formatted(version(), type, type);
        }
        return "slot %d has no owner in slot map version %d".formatted(slotOf(key), version());
    }

    private boolean isOwner(PartitionId id, EncodedKey key) {
        Place place = storeOf(key);
        return place != null && place.id().equals(id);
    }

    /** Returns the route for deletions by a partition; its slots that move are fenced if it owns them. */
    public Route routeAt(PartitionId id, EncodedKey key) {
        return onTheirWay.containsKey(slotOf(key)) && isOwner(id, key) ? fenced : plain;
    }

    /** Returns whether the partition had the key by an older topology, and only another one has it by this. */
    boolean hasTakenFrom(PartitionId id, EncodedKey key, Topology older) {
        return (older.isOwner(id, key) || older.isFormer(id, key))
                && storeOf(key) != null
                && !isOwner(id, key)
                && !isFormer(id, key);
    }

    /** Returns the owners of slots that this partition has ceased to own, or to be the former owner of. */
    Set<Partition> takersFrom(PartitionId id, Topology older) {
        Set<Partition> takers = new LinkedHashSet<>();
        for (int slot = 0; slot < older.places.length; slot++) {
            Place before = older.placeAt(slot);
            Place after = placeAt(slot);
            if (before != null
                    && after != null
                    && !after.id().equals(id)
                    && (before.id().equals(id) || (before.isFormer(id) && !after.isFormer(id)))) {
                Partition taker = after.partition();
                if (taker != null) {
                    takers.add(taker);
                }
            }
        }
        return takers;
    }

    /** Returns the owners of the slots of which this partition is the former owner. */
    private Set<Partition> takersFrom(PartitionId id) {
        Set<Partition> takers = new LinkedHashSet<>();
        for (Place place : formers.isEmpty() ? new Place[0] : places) {
            Partition taker = place == null || !place.isFormer(id) ? null : place.partition();
            if (taker != null) {
                takers.add(taker);
            }
        }
        return takers;
    }

    /**
     * Returns whether a partition takes part in a move of this key's slot without owning it, so that it must not be
     * asked.
     */
    boolean isOtherEnd(PartitionId id, EncodedKey key) {
        return !onTheirWay.isEmpty() && id.equals(onTheirWay.get(slotOf(key))) && !isFormer(id, key);
    }

    /**
     * Has the values of these keys deleted: by a former owner that may have one, and then by the owner, to which another
     * process may have brought it. Keys whose slot has no owner are skipped.
     */
    void forget(List<EncodedKey> keys) {
        forget(keys, true);
    }

    /** Called when a partition has deleted these keys, before it counts as confirmed. */
    private void deleted(PartitionId id, List<EncodedKey> keys) {
        if (!formers.isEmpty()) {
            forget(keys.stream().filter(key -> isFormer(id, key)).toList(), false);
        }
    }

    private void forget(List<EncodedKey> keys, boolean isAtFormer) {
        Map<Partition, List<EncodedKey>> byPartition = new LinkedHashMap<>();
        for (EncodedKey key : keys) {
            Place place = storeOf(key);
            Former former = place == null ? null : place.former();
            Partition at = former != null && isAtFormer && !former.gone().contains(key)
                    ? former.partition()
                    : place == null ? null : place.partition();
            if (at != null) {
                byPartition.computeIfAbsent(at, first -> new ArrayList<>()).add(key);
            }
        }
        byPartition.forEach(Partition::forget);
    }

    void route(Partition partition) {
        PartitionId id = partition.id();
        partition.route(key -> routeAt(id, key), keys -> deleted(id, keys), () -> takersFrom(id));
    }

    private boolean isFormer(PartitionId id, EncodedKey key) {
        Place place = formers.isEmpty() ? null : storeOf(key);
        return place != null && place.isFormer(id);
    }

    public Optional<Partition> ownerOf(EncodedKey key) {
        Place place = storeOf(key);
        return place == null ? Optional.empty() : Optional.ofNullable(place.partition());
    }

    /**
     * The destination of commands about some slots. Each topology has two per partition: for moving slots and for the
     * others, and one for each cold move. {@code partition} is null if the owner is not configured in this process.
     */
    public record Place(
            PartitionId id,
            @Nullable Partition partition,
            Route route,
            @Nullable Former former) {
        Place(PartitionId id, @Nullable Partition partition, Route route) {
            this(id, partition, route, null);
        }

        boolean isFormer(PartitionId partition) {
            return former != null && former.partition().id().equals(partition);
        }
    }

    /**
     * The former owner of the slots of a cold move. {@code gone} has keys under which it has nothing; it is shared by all
     * topologies with the move.
     */
    record Former(String move, Partition partition, KeySlots slots, Set<EncodedKey> gone) {}
}

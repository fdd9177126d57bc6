// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.SlotSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps root keys to slots: by the placement of their type, else by their hash. Immutable. */
public final class Placements implements KeySlots {
    private static final Placements NONE = new Placements(List.of());

    private final SortedMap<String, Placement> byType;

    private final int hash; // cached, as there may be thousands of entries

    public Placements(Collection<Placement> placements) {
        SortedMap<String, Placement> sorted = new TreeMap<>();
        for (Placement placement : placements) {
            if (sorted.put(placement.rootType(), placement) != null) {
                throw new InvalidMapException(List.of("%s has two placements".formatted(placement.rootType())));
            }
        }
        this.byType = Collections.unmodifiableSortedMap(sorted);
        this.hash = sorted.hashCode();
    }

    public static Placements none() {
        return NONE;
    }

    /** Returns the slots of keys for routing, without overhead if all keys are hashed. */
    public KeySlots forRouting() {
        return byType.isEmpty() ? KeySlots.HASHED : this;
    }

    public Optional<Placement> of(String rootType) {
        return Optional.ofNullable(byType.get(rootType));
    }

    public List<Placement> all() {
        return List.copyOf(byType.values());
    }

    public Placements with(Placement placement) {
        SortedMap<String, Placement> changed = new TreeMap<>(byType);
        changed.put(placement.rootType(), placement);
        return new Placements(changed.values());
    }

    public Placements without(String rootType) {
        SortedMap<String, Placement> changed = new TreeMap<>(byType);
        changed.remove(rootType);
        return new Placements(changed.values());
    }

    public Stream<PlacementTarget> targets() {
        return byType.values().stream().flatMap(Placement::targets);
    }

    public SlotSet slots() {
        return SlotSet.of(targets().map(PlacementTarget::range).toList());
    }

    /** Returns the slots that plans by shares or by load leave where they are. */
    public SlotSet pinned() {
        return SlotSet.of(targets()
                .filter(PlacementTarget::isPinned)
                .map(PlacementTarget::range)
                .toList());
    }

    /**
     * {@inheritDoc} The root is the hashed part of a key: the text between braces, else the whole key. Its type follows
     * the namespace and ends at the first colon.
     */
    @Override
    public int placeOf(EncodedKey key) {
        String root = HashSlot.tag(key.text());
        Placement placement = byType.get(typeOf(root));
        int slot = placement == null ? key.slot() : placement.slotOf(root.substring(root.indexOf(':') + 1), key.slot());
        return slot == Placement.REFUSED ? ~key.slot() : slot;
    }

    /** Returns the type of a key's root, escaped as in the key; empty if it has none. */
    public static String rootTypeOf(EncodedKey key) {
        return typeOf(HashSlot.tag(key.text()));
    }

    private static String typeOf(String root) {
        int colon = root.indexOf(':');
        return colon < 0 ? "" : root.substring(root.lastIndexOf('/', colon) + 1, colon);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Placements placements
                        && hash == placements.hash
                        && byType.equals(placements.byType));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return byType.values().toString();
    }
}

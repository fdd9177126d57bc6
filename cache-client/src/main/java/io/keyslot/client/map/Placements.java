// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.slot.HashSlot;
import io.keyslot.slot.HashTag;
import io.keyslot.slot.SlotSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How root keys find their slots: by the placement of their type, or, where there is none, by their hash. Immutable. */
public final class Placements {
    private static final Placements NONE = new Placements(List.of());

    private final SortedMap<String, Placement> byType;

    /**
     * Creates placements of different types.
     *
     * @throws InvalidMapException if two are of the same type
     */
    public Placements(Collection<Placement> placements) {
        SortedMap<String, Placement> sorted = new TreeMap<>();
        for (Placement placement : placements) {
            if (sorted.put(placement.rootType(), placement) != null) {
                throw new InvalidMapException(List.of("%s has two placements".formatted(placement.rootType())));
            }
        }
        this.byType = Collections.unmodifiableSortedMap(sorted);
    }

    /** Returns those of a map in which every key is hashed. */
    public static Placements none() {
        return NONE;
    }

    /** Returns the placement of a type of roots; empty if they are hashed. Whoever has many keys of a type keeps it. */
    public Optional<Placement> of(String rootType) {
        return Optional.ofNullable(byType.get(rootType));
    }

    /** Returns all, by the type of their roots. */
    public List<Placement> all() {
        return List.copyOf(byType.values());
    }

    /** Returns these with another placement for its type. */
    public Placements with(Placement placement) {
        SortedMap<String, Placement> changed = new TreeMap<>(byType);
        changed.put(placement.rootType(), placement);
        return new Placements(changed.values());
    }

    /** Returns these without the placement of a type. */
    public Placements without(String rootType) {
        SortedMap<String, Placement> changed = new TreeMap<>(byType);
        changed.remove(rootType);
        return new Placements(changed.values());
    }

    /** Returns the targets of all entries of all placements. */
    public Stream<PlacementTarget> targets() {
        return byType.values().stream().flatMap(Placement::targets);
    }

    /** Returns the slots that any entry names. */
    public SlotSet slots() {
        return SlotSet.of(targets().flatMapToInt(target -> target.slots().stream()));
    }

    /**
     * Returns the slot of a key by its whole text, or {@link Placement#REFUSED}. The root is what is hashed of a key: the
     * text between braces, else all of it. Its type ends at the first colon, and begins behind a namespace.
     */
    public int slotOf(String keyText) {
        String root = HashTag.of(keyText);
        int hashSlot = HashSlot.of(root);
        int colon = root.indexOf(':');
        Placement placement = colon < 0 ? null : byType.get(root.substring(root.lastIndexOf('/', colon) + 1, colon));
        return placement == null ? hashSlot : placement.slotOf(root.substring(colon + 1), hashSlot);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Placements placements && byType.equals(placements.byType);
    }

    @Override
    public int hashCode() {
        return byType.hashCode();
    }

    @Override
    public String toString() {
        return byType.values().toString();
    }
}

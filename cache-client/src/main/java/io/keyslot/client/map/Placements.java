// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.SlotSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How root keys find their slots: by the placement of their type, or, where there is none, by their hash. Immutable. */
public final class Placements implements KeySlots {
    private static final Placements NONE = new Placements(List.of());

    private final SortedMap<String, Placement> byType;

    /** The same, by the length of the type, to be found by the bytes of a key. */
    private final List<List<Named>> byLength = new ArrayList<>();

    private final int hash; // there may be thousands of entries

    private record Named(
            @SuppressWarnings("ArrayRecordComponent") byte[] type, Placement placement) {}

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
        this.hash = sorted.hashCode();
        sorted.forEach((type, placement) -> {
            byte[] bytes = type.getBytes(StandardCharsets.UTF_8);
            while (byLength.size() <= bytes.length) {
                byLength.add(new ArrayList<>());
            }
            byLength.get(bytes.length).add(new Named(bytes, placement));
        });
    }

    /** Returns those of a map in which every key is hashed. */
    public static Placements none() {
        return NONE;
    }

    /** Returns the same for routing, which costs nothing if every key is hashed. */
    public KeySlots forRouting() {
        return byType.isEmpty() ? KeySlots.HASHED : this;
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
        return SlotSet.of(targets().map(PlacementTarget::range).toList());
    }

    /**
     * {@inheritDoc} The root is what is hashed of a key: the text between braces, else all of it. Its type ends at the first colon,
     * and begins behind a namespace.
     */
    @Override
    public int placeOf(EncodedKey key) {
        if (byLength.isEmpty()) {
            return key.slot();
        }
        RootText root = RootText.of(key);
        Placement placement = root.hasType() ? of(root) : null;
        int slot = placement == null ? key.slot() : placement.slotOf(root.id(), key.slot());
        return slot == Placement.REFUSED ? ~key.slot() : slot;
    }

    private @Nullable Placement of(RootText root) {
        if (root.typeLength() >= byLength.size()) {
            return null;
        }
        for (Named named : byLength.get(root.typeLength())) {
            if (root.isOfType(named.type())) {
                return named.placement();
            }
        }
        return null;
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

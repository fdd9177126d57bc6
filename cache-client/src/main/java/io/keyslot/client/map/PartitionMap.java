// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Which partition owns each slot, where the partitions are and what is moving, at one version. Immutable. What
 * {@link MapRules} forbid cannot be one of these.
 *
 * <p>The state of a slot is nowhere but in the move that it is part of: without one it is stable.
 *
 * @param stamp which map it is
 * @param commit who made it
 * @param content what it says
 */
public record PartitionMap(MapStamp stamp, MapCommit commit, MapContent content) {
    /** @throws InvalidMapException if it breaks a rule, with all that is wrong */
    public PartitionMap {
        MapRules.require(content);
    }

    /**
     * Returns the next version of this map.
     *
     * @throws InvalidMapException if the change is refused, or what comes out of it breaks a rule
     */
    public PartitionMap next(MapCommit by, UnaryOperator<MapContent> change) {
        return new PartitionMap(stamp.next(), by, change.apply(content));
    }

    /** Returns this map as the first one of another generation, which goes on counting versions. */
    public PartitionMap in(Generation generation, MapCommit by) {
        return new PartitionMap(new MapStamp(generation, stamp.version() + 1), by, content);
    }

    public long version() {
        return stamp.version();
    }

    /** Returns the version that it was made from, 0 for the first one. */
    public long parent() {
        return version() - 1;
    }

    /** Returns all partitions, those that were removed as well. */
    public List<MappedPartition> partitions() {
        return content.partitions();
    }

    /** Returns the partitions that own slots, or may. */
    public List<MappedPartition> askedPartitions() {
        return partitions().stream().filter(MappedPartition::isAsked).toList();
    }

    public Optional<MappedPartition> partition(PartitionId name) {
        return content.partition(name);
    }

    public SlotTable slots() {
        return content.slots();
    }

    /** Returns the moves that are not finished. */
    public List<Move> moves() {
        return content.moves();
    }

    public Optional<Move> move(String id) {
        return content.move(id);
    }

    /** Returns the move that a slot is part of. */
    public Optional<Move> moveOf(int slot) {
        return content.moveOf(slot);
    }

    /** Returns the slot in which a key is stored. */
    public int slotOf(EncodedKey key) {
        return content.placements().slotOf(key);
    }

    public Optional<PartitionId> ownerOf(int slot) {
        return slots().ownerOf(slot);
    }

    /** Returns the how manieth owner of the slot the present one is. */
    public int ownershipOf(int slot) {
        return slots().ownershipOf(slot);
    }

    public SlotState stateOf(int slot) {
        return moveOf(slot).map(move -> move.stateOf(slot)).orElse(SlotState.STABLE);
    }

    /** Returns the slots that are used by fenced commands only: those that are moving or settling. */
    public SlotSet fencedSlots() {
        return moves().stream().map(Move::fenced).reduce(SlotSet.none(), SlotSet::plus);
    }

    /** Computes who owns each slot, for the hot path. Keep the result. */
    public SlotMap slotMap() {
        List<PartitionId> asked =
                askedPartitions().stream().map(MappedPartition::name).toList();
        return new SlotMap(version(), slots().ranges(asked));
    }

    /** Returns version and owners, as the slot map does. */
    @Override
    public String toString() {
        return stamp.generation() + " " + slotMap();
    }
}

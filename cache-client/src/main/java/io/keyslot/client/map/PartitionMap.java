// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The owners of slots, the partitions and their addresses, and the moves, at one version. Immutable; {@link MapRules}
 * hold. The state of a slot follows from its move; without one it is stable.
 */
public record PartitionMap(MapStamp stamp, MapCommit commit, MapContent content) {
    /** Throws {@code InvalidMapException} if it breaks rules, with all problems. */
    public PartitionMap {
        MapRules.require(content);
    }

    /**
     * Returns the next version of this map; throws an {@link InvalidMapException} if the change or the result is not
     * allowed.
     */
    public PartitionMap next(MapCommit by, UnaryOperator<MapContent> change) {
        return new PartitionMap(stamp.next(), by, change.apply(content));
    }

    public long version() {
        return stamp.version();
    }

    /** Returns the version that it was made from, 0 for the first one. */
    public long parent() {
        return version() - 1;
    }

    public List<MappedPartition> partitions() {
        return content.partitions();
    }

    /** Returns the partitions that own slots or may own some. */
    public List<MappedPartition> askedPartitions() {
        return partitions().stream().filter(MappedPartition::isAsked).toList();
    }

    public Optional<MappedPartition> partition(PartitionId name) {
        return content.partition(name);
    }

    public SlotTable slots() {
        return content.slots();
    }

    public List<Move> moves() {
        return content.moves();
    }

    public Optional<Move> move(String id) {
        return content.move(id);
    }

    public int slotOf(EncodedKey key) {
        return content.placements().slotOf(key);
    }

    public Optional<PartitionId> ownerOf(int slot) {
        return slots().ownerOf(slot);
    }

    /** Computes the slot map for the hot path. Keep the result. */
    public SlotMap slotMap() {
        List<PartitionId> asked =
                askedPartitions().stream().map(MappedPartition::name).toList();
        return new SlotMap(version(), slots().ranges(asked));
    }

    @Override
    public String toString() {
        return stamp.generation() + " " + slotMap();
    }
}

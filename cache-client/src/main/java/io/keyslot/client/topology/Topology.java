// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.topology;

import io.keyslot.client.health.Partition;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who owns each slot, and the partitions that can be asked, at one moment. Immutable: whoever has one has both. */
public final class Topology {
    private final SlotMap slotMap;
    private final Map<PartitionId, Partition> partitions;

    Topology(SlotMap slotMap, Map<PartitionId, Partition> partitions) {
        this.slotMap = slotMap;
        this.partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
    }

    public SlotMap slotMap() {
        return slotMap;
    }

    /** Returns the partitions in the order of the {@link Layout}. */
    public List<Partition> partitions() {
        return List.copyOf(partitions.values());
    }

    /** Returns the partition of that name, null if there is none to be asked. */
    public @Nullable Partition partition(PartitionId id) {
        return partitions.get(id);
    }

    /** Returns the partition that is to be asked for a slot; empty if nobody owns it, or its owner cannot be asked. */
    public Optional<Partition> ownerOf(int slot) {
        return slotMap.ownerOf(slot).map(partitions::get);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known besides the map; all of it may be missing.
 *
 * @param memory of the partitions that were asked
 * @param loads of the slots that have any
 * @param most of slots, the group or key with the most calls
 */
public record PlanFacts(Map<PartitionId, Memory> memory, Map<Integer, SlotLoad> loads, Map<Integer, NamedLoad> most) {
    /** Nothing is known. */
    public static final PlanFacts NONE = new PlanFacts(Map.of(), Map.of());

    public PlanFacts {
        memory = Map.copyOf(memory);
        // Not Map.copyOf: its table is probed step by step, and slots with gaps between them stand in long runs there.
        loads = Collections.unmodifiableMap(new HashMap<>(loads));
        most = Collections.unmodifiableMap(new HashMap<>(most));
    }

    /** As above, and nothing is known of groups and keys. */
    public PlanFacts(Map<PartitionId, Memory> memory, Map<Integer, SlotLoad> loads) {
        this(memory, loads, Map.of());
    }

    /**
     * The memory of an instance.
     *
     * @param used bytes
     * @param limit bytes, 0 if there is none
     */
    public record Memory(long used, long limit) {}

    SlotLoad load(int slot) {
        return loads.getOrDefault(slot, SlotLoad.NONE);
    }

    long load(SlotSet slots, Measure measure) {
        return slots.stream().mapToLong(slot -> load(slot).by(measure)).sum();
    }

    /**
     * Returns what slots take at their owner: as was counted for each, or their share of what the owner uses; 0 if neither
     * is known.
     */
    long bytes(SlotSet slots, PartitionId owner, int slotsOfOwner) {
        if (!loads.isEmpty()) {
            return load(slots, Measure.BYTES);
        }
        Memory known = memory.get(owner);
        return known == null || slotsOfOwner == 0 ? 0 : (long) ((double) known.used() * slots.size() / slotsOfOwner);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Optional knowledge about the partitions of a map: memory, loads of slots, and the group or key of a slot with the
 * most calls.
 */
public record PlanFacts(Map<PartitionId, Memory> memory, Map<Integer, SlotLoad> loads, Map<Integer, NamedLoad> most) {
    public static final PlanFacts NONE = new PlanFacts(Map.of(), Map.of());

    public PlanFacts {
        memory = Map.copyOf(memory);
        // Not Map.copyOf: its table uses linear probing, and slots with regular gaps form long runs in it.
        loads = Collections.unmodifiableMap(new HashMap<>(loads));
        most = Collections.unmodifiableMap(new HashMap<>(most));
    }

    /** Creates facts without groups and keys. */
    public PlanFacts(Map<PartitionId, Memory> memory, Map<Integer, SlotLoad> loads) {
        this(memory, loads, Map.of());
    }

    /** The memory of an instance in bytes; a limit of 0 means none. */
    public record Memory(long used, long limit) {}

    SlotLoad load(int slot) {
        return loads.getOrDefault(slot, SlotLoad.NONE);
    }

    long load(SlotSet slots, Measure measure) {
        return slots.stream().mapToLong(slot -> load(slot).by(measure)).sum();
    }

    /** Returns the measured bytes of slots, or their share of the owner's memory; 0 if neither is known. */
    long bytes(SlotSet slots, PartitionId owner, int slotsOfOwner) {
        if (!loads.isEmpty()) {
            return load(slots, Measure.BYTES);
        }
        Memory known = memory.get(owner);
        return known == null || slotsOfOwner == 0 ? 0 : (long) ((double) known.used() * slots.size() / slotsOfOwner);
    }
}

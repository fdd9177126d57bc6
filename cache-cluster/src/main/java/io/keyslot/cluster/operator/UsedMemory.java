// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.slot.PartitionId;
import java.util.HashMap;
import java.util.Map;

/** Reads the used memory of partitions, for an estimate of what a plan copies. */
public final class UsedMemory {
    private UsedMemory() {}

    /**
     * Asks all owners of slots. If one does not answer, nothing is known, because the rest would pass for the whole.
     */
    public static PlanFacts ask(Cluster cluster, PartitionMap map) {
        Map<PartitionId, PlanFacts.Memory> memory = new HashMap<>();
        try (Instances instances = new Instances(cluster)) {
            for (MappedPartition partition : map.partitions()) {
                if (partition.isAsked()) {
                    SlotTransfer.MemoryUse used = instances.ask(partition, new SlotTransfer.Memory());
                    memory.put(partition.name(), new PlanFacts.Memory(used.usedBytes(), used.mostBytes()));
                }
            }
            return new PlanFacts(memory, Map.of());
        } catch (SilentException silent) {
            return PlanFacts.NONE;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.ServedSlots;
import io.keyslot.client.partition.redis.cluster.ClusterPrimary;
import io.keyslot.client.partition.redis.cluster.KnownNode;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses {@code CLUSTER NODES}, the only command that reports slots in migration. Free of I/O. */
public final class NodesText {
    private NodesText() {}

    /** Returns the slots; empty if the text is unreadable. */
    public static Optional<ServedSlots> read(String text) {
        return KnownNode.readAll(text).flatMap(NodesText::served);
    }

    private static Optional<ServedSlots> served(List<KnownNode> nodes) {
        Map<PartitionId, List<SlotRange>> owners = new LinkedHashMap<>();
        Map<Integer, PartitionId> leaving = new HashMap<>();
        Set<Integer> arriving = new HashSet<>();
        for (KnownNode node : nodes) {
            owners.put(ClusterPrimary.partition(node.id()), node.slots());
            node.leaving().forEach((slot, to) -> leaving.put(slot, ClusterPrimary.partition(to)));
            arriving.addAll(node.arriving().keySet());
        }
        try {
            return Optional.of(new ServedSlots(new SlotMap(1, owners), leaving, arriving));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no node, or a slot with two owners
        }
    }
}

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

/**
 * Reads of what a node answers to {@code CLUSTER NODES} which slots it has: the only answer that says which are on their way to or from the
 * node. A line that is not as it should be makes the text unreadable as a whole. Pure.
 */
public final class NodesText {
    private NodesText() {}

    /** Returns what the node says; empty if nobody can read it. */
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.Comparator;
import java.util.List;

/**
 * A primary of a cluster, as the cluster says.
 *
 * @param id by which the nodes know it, 40 hexadecimal digits: it stays when the address changes
 * @param host where clients reach it; an IPv6 address without brackets
 * @param port where clients reach it
 * @param slots in order; none of a node that owns nothing yet
 * @param replicas the nodes that follow it and have not failed, in the order of their ids
 */
public record ClusterPrimary(String id, String host, int port, List<SlotRange> slots, List<ClusterReplica> replicas) {
    /** So many digits tell the nodes of a cluster apart, and can be read. */
    private static final int DIGITS = 12;

    public ClusterPrimary {
        slots = List.copyOf(slots);
        replicas = replicas.stream()
                .sorted(Comparator.comparing(ClusterReplica::id))
                .toList();
    }

    /** Creates one that nobody follows. */
    public ClusterPrimary(String id, String host, int port, List<SlotRange> slots) {
        this(id, host, port, slots, List.of());
    }

    /** Returns what the partition is called: the beginning of the id. */
    public PartitionId partition() {
        return partition(id);
    }

    /** Returns what the partition of a node is called. */
    public static PartitionId partition(String id) {
        return new PartitionId(id.substring(0, Math.min(DIGITS, id.length())));
    }

    /** Returns whether clients reach it there. */
    boolean isAt(String otherHost, int otherPort) {
        return port == otherPort && host.equals(otherHost);
    }

    /** Returns the same node with others that follow it. */
    ClusterPrimary followedBy(List<ClusterReplica> others) {
        return new ClusterPrimary(id, host, port, slots, others);
    }

    /** Returns the same node with other slots. */
    ClusterPrimary with(List<SlotRange> other) {
        return new ClusterPrimary(id, host, port, other, replicas);
    }
}

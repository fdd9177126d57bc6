// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.Comparator;
import java.util.List;

/**
 * A primary of a cluster, as reported by the cluster.
 *
 * @param id of the node, 40 hexadecimal digits; it stays when the address changes
 * @param host for clients; an IPv6 address without brackets
 * @param port for clients
 * @param slots in order; may be empty
 * @param replicas the replicas that have not failed, in the order of their ids
 */
public record ClusterPrimary(String id, String host, int port, List<SlotRange> slots, List<Replica> replicas) {
    /** A replica in a cluster, with its address for clients, where an IPv6 address has no brackets. */
    public record Replica(String id, String host, int port) {}

    /** Enough digits to be unique in a cluster, and still readable. */
    private static final int DIGITS = 12;

    public ClusterPrimary {
        slots = List.copyOf(slots);
        replicas = replicas.stream().sorted(Comparator.comparing(Replica::id)).toList();
    }

    public ClusterPrimary(String id, String host, int port, List<SlotRange> slots) {
        this(id, host, port, slots, List.of());
    }

    public PartitionId partition() {
        return partition(id);
    }

    public static PartitionId partition(String id) {
        return new PartitionId(id.substring(0, Math.min(DIGITS, id.length())));
    }

    boolean isAt(String otherHost, int otherPort) {
        return port == otherPort && host.equals(otherHost);
    }

    ClusterPrimary followedBy(List<Replica> others) {
        return new ClusterPrimary(id, host, port, slots, others);
    }

    ClusterPrimary with(List<SlotRange> other) {
        return new ClusterPrimary(id, host, port, other, replicas);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition: its name, where it is, and its share of the slots.
 *
 * @param name unique among the partitions
 * @param uri where the instance is; null for an embedded partition
 * @param weight its share of the slots in relation to the other partitions, from 0 (no hash slots, for placements only) to
 *     {@value #LARGEST_WEIGHT}; 1 by
 *     default, and without meaning if it has {@code slots}
 * @param slots the slots that it owns; empty if they follow from the weights
 * @param access who we are there, and whom we trust; without meaning for an embedded partition
 * @param zone which part of the network it is in, as the clients that want to read near say it too; empty if that is not said
 * @param replicas servers that follow the instance
 */
public record PartitionOptions(
        PartitionId name,
        @Nullable PartitionUri uri,
        int weight,
        List<SlotRange> slots,
        Access access,
        String zone,
        List<ReplicaOptions> replicas) {
    /** The largest weight. */
    public static final int LARGEST_WEIGHT = 1000;

    public PartitionOptions {
        if (weight < 0 || weight > LARGEST_WEIGHT) {
            throw new IllegalArgumentException(
                    "Weight of %s is %d: must be from 0 to %d".formatted(name, weight, LARGEST_WEIGHT));
        }
        slots = List.copyOf(slots);
        replicas = List.copyOf(replicas);
    }

    /** Creates one that nobody follows. */
    public PartitionOptions(
            PartitionId name, @Nullable PartitionUri uri, int weight, List<SlotRange> slots, Access access) {
        this(name, uri, weight, slots, access, "", List.of());
    }

    /** Creates one at which nobody logs in, unless the address says it. */
    public PartitionOptions(PartitionId name, @Nullable PartitionUri uri, int weight, List<SlotRange> slots) {
        this(name, uri, weight, slots, Access.NONE);
    }

    /** Returns another partition that is reached in the same way, at another address. */
    public PartitionOptions at(PartitionId other, String host, int port) {
        return new PartitionOptions(other, uri == null ? null : uri.at(host, port), 1, List.of(), access);
    }

    /** Returns the same with these servers that follow it, and in this zone. */
    public PartitionOptions with(String otherZone, List<ReplicaOptions> others) {
        return new PartitionOptions(name, uri, weight, slots, access, otherZone, others);
    }

    /** Returns a server that follows it, which is reached in the same way. */
    public PartitionOptions at(ReplicaOptions replica) {
        return new PartitionOptions(name, replica.uri(), 1, List.of(), access);
    }

    public static PartitionOptions embedded(String name) {
        return new PartitionOptions(new PartitionId(name), null, 1, List.of());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.Access.Login;
import io.keyslot.slot.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name, address and share of the slots of one partition.
 *
 * @param name unique among the partitions
 * @param uri the address of the instance; null for an embedded partition
 * @param weight its share of the hash slots relative to other partitions, from 0 (placements only) to
 *     {@value #LARGEST_WEIGHT}; 1 by default,
 * @param access the login and TLS settings; ignored for an embedded partition
 * @param zone its network zone, compared with that of clients that read from the nearest server; empty if unknown
 * @param replicas the replicas of the instance
 */
public record PartitionOptions(
        PartitionId name,
        @Nullable PartitionUri uri,
        int weight,
        Access access,
        String zone,
        List<ReplicaOptions> replicas) {
    public static final int LARGEST_WEIGHT = 1000;

    public PartitionOptions {
        if (weight < 0 || weight > LARGEST_WEIGHT) {
            throw new IllegalArgumentException(
                    "Weight of %s is %d: must be from 0 to %d".formatted(name, weight, LARGEST_WEIGHT));
        }
        replicas = List.copyOf(replicas);
    }

    public PartitionOptions(PartitionId name, @Nullable PartitionUri uri, Access access) {
        this(name, uri, 1, access, "", List.of());
    }

    public PartitionOptions at(PartitionId other, String host, int port) {
        return new PartitionOptions(other, uri == null ? null : uri.at(host, port), access);
    }

    public PartitionOptions with(String otherZone, List<ReplicaOptions> others) {
        return new PartitionOptions(name, uri, weight, access, otherZone, others);
    }

    public PartitionOptions at(ReplicaOptions replica) {
        return new PartitionOptions(name, replica.uri(), access);
    }

    public static PartitionOptions embedded(String name) {
        return new PartitionOptions(new PartitionId(name), null, Access.NONE);
    }

    /** A replica of a partition's instance, and its network zone (empty if unknown). */
    public record ReplicaOptions(PartitionUri uri, String zone) {
        public ReplicaOptions withDefault(Login login) {
            return new ReplicaOptions(uri.withDefault(login), zone);
        }
    }
}

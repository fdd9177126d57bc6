// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.redis.ClusterPrimary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The access to the nodes of a cluster, that of the first configured node, and their zones by address. Immutable. */
record ClusterServers(PartitionOptions first, Map<String, String> zones) {
    ClusterServers {
        zones = Map.copyOf(zones);
    }

    static ClusterServers of(List<PartitionOptions> configured) {
        Map<String, String> zones = new HashMap<>();
        for (PartitionOptions node : configured) {
            PartitionUri uri = node.uri();
            if (uri != null && !node.zone().isEmpty()) {
                zones.put(key(uri.host(), uri.port()), node.zone());
            }
        }
        return new ClusterServers(configured.get(0), zones);
    }

    private static String key(String host, int port) {
        return host + " " + port;
    }

    /** Returns a primary as a partition, with its replicas. */
    PartitionOptions options(ClusterPrimary node) {
        List<ReplicaOptions> replicas = node.replicas().stream()
                .flatMap(replica -> replica(node, replica.host(), replica.port()).stream())
                .toList();
        return first.at(node.partition(), node.host(), node.port()).with(zone(node.host(), node.port()), replicas);
    }

    private List<ReplicaOptions> replica(ClusterPrimary of, String host, int port) {
        PartitionUri uri = first.at(of.partition(), host, port).uri();
        return uri == null ? List.of() : List.of(new ReplicaOptions(uri, zone(host, port)));
    }

    private String zone(String host, int port) {
        return zones.getOrDefault(key(host, port), "");
    }
}

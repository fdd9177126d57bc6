// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.partition.redis.cluster.ClusterPrimary;
import io.keyslot.slot.PartitionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterServersTest {
    private static PartitionOptions node(String name, String host, String zone) {
        return new PartitionOptions(
                        new PartitionId(name), new PartitionUri(true, host, 7_000, 0, "ann", "secret"), 1, List.of())
                .with(zone, List.of());
    }

    private final ClusterServers servers =
            ClusterServers.of(List.of(node("n1", "a", "eu-1a"), node("n2", "b", "eu-1b"), node("n3", "c", "")));

    private final PartitionOptions options = servers.options(new ClusterPrimary(
            "1".repeat(40),
            "a",
            7_000,
            List.of(),
            List.of(
                    new ClusterPrimary.Replica("2".repeat(40), "b", 7_000),
                    new ClusterPrimary.Replica("3".repeat(40), "c", 7_000),
                    new ClusterPrimary.Replica("4".repeat(40), "b", 7_001))));

    @Test
    void nodes_haveTheZonesOfTheirAddresses() {
        assertThat(options.zone()).isEqualTo("eu-1a");
        assertThat(options.replicas()).extracting(ReplicaOptions::zone).containsExactly("eu-1b", "", "");
    }

    @Test
    void replicas_areReachedAsTheFirstNodeIs() {
        assertThat(options.name()).isEqualTo(new PartitionId("1".repeat(12)));
        assertThat(options.replicas())
                .extracting(ReplicaOptions::uri)
                .containsExactly(
                        new PartitionUri(true, "b", 7_000, 0, "ann", "secret"),
                        new PartitionUri(true, "c", 7_000, 0, "ann", "secret"),
                        new PartitionUri(true, "b", 7_001, 0, "ann", "secret"));
    }
}

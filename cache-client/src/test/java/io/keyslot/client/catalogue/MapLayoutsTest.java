// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.ReplicaOptions;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MapLayoutsTest {
    private static final PartitionId NAME = new PartitionId("p1");
    private static final PartitionUri ADDRESS = new PartitionUri(false, "10.0.0.1", 6379, 0, null, null);
    private static final List<ReplicaOptions> REPLICAS = List.of(new ReplicaOptions(ADDRESS.at("10.0.1.1", 6379), "b"));

    private static PartitionOptions options(MappedPartition partition) {
        PartitionOptions configured = new PartitionOptions(NAME, ADDRESS, 1, List.of(), Access.NONE, "a", REPLICAS);
        return new MapLayouts(List.of(configured), Access.NONE).options(partition);
    }

    @Test
    void zoneOfAPartition_isThatOfTheMap_ifItHasOne() {
        MappedPartition plain = MappedPartition.active(NAME, ADDRESS, 1);

        assertThat(options(plain).zone()).isEqualTo("a");
        assertThat(options(plain.withLabels(Map.of("region", "eu"))).zone()).isEqualTo("a");
        assertThat(options(plain.withLabels(Map.of("zone", "c"))).zone()).isEqualTo("c");
    }

    @Test
    void replicas_areThoseOfTheConfiguration_atTheSameAddressOnly() {
        assertThat(options(MappedPartition.active(NAME, ADDRESS, 1)).replicas()).isEqualTo(REPLICAS);
        assertThat(options(MappedPartition.active(NAME, ADDRESS.at("10.0.0.9", 6379), 1))
                        .replicas())
                .isEmpty();
    }
}

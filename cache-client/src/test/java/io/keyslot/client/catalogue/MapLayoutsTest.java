// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.Given;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MapLayoutsTest {
    private static final PartitionId NAME = new PartitionId("p1");
    private static final PartitionUri ADDRESS = new PartitionUri(false, "10.0.0.1", 6379, 0, null, null);
    private static final List<ReplicaOptions> REPLICAS = List.of(new ReplicaOptions(ADDRESS.at("10.0.1.1", 6379), "b"));

    private static PartitionOptions options(MappedPartition partition) {
        PartitionOptions configured = new PartitionOptions(NAME, ADDRESS, 1, Access.NONE, "a", REPLICAS);
        return new MapLayouts(List.of(configured), Access.NONE, List.of()).options(partition);
    }

    @Test
    void replicasOfTheMap_areUsedBesidesThoseConfigured_unlessTheLoginOrEncryptionWouldGetLost() {
        MappedPartition partition = MappedPartition.active(NAME, ADDRESS, 1)
                .withReplicas(List.of(
                        new MappedPartition.Replica(ADDRESS.at("10.0.1.1", 6379), "other"),
                        new MappedPartition.Replica(ADDRESS.at("10.0.2.1", 6379), "c"),
                        new MappedPartition.Replica(new PartitionUri(true, "10.0.3.1", 6379, 0, null, null), "d")));

        assertThat(options(partition).replicas())
                .containsExactly(REPLICAS.get(0), new ReplicaOptions(ADDRESS.at("10.0.2.1", 6379), "c"));
        Login login = new Login("app", "secret");
        MappedPartition added = MappedPartition.active(new PartitionId("p9"), ADDRESS.at("10.0.0.1", 6400), 1)
                .withReplicas(partition.replicas());
        assertThat(layouts(false, login).options(added).replicas()).isEmpty();
        assertThat(layouts(false, login, "10.0.2.*").options(added).replicas())
                .containsExactly(new ReplicaOptions(ADDRESS.at("10.0.2.1", 6379).withDefault(login), "c"));
    }

    private static PartitionMap mapWith(PartitionUri added) {
        MapContent content = ConfiguredMap.of(Given.defaults()).content();
        List<MappedPartition> partitions = new ArrayList<>(content.partitions());
        partitions.set(0, MappedPartition.active(NAME, added, 1));
        return new PartitionMap(
                new MapStamp(Generation.CONFIGURED, 9),
                MapCommit.CONFIGURED,
                new MapContent(partitions, content.slots(), List.of()));
    }

    private static MapLayouts layouts(boolean tls, Login login, String... hosts) {
        PartitionUri address = new PartitionUri(tls, "10.0.0.1", 6379, 0, null, null);
        return new MapLayouts(
                List.of(new PartitionOptions(NAME, address, Access.NONE)),
                new Access(login, Login.NONE, TlsOptions.defaults()),
                List.of(hosts));
    }

    @Test
    void mapThatLeadsAwayFromEncryption_isRefused() {
        PartitionUri plain = new PartitionUri(false, "10.0.0.1", 6400, 0, null, null);
        PartitionUri encrypted = new PartitionUri(true, "10.0.0.1", 6400, 0, null, null);

        assertThat(layouts(true, Login.NONE).objections(mapWith(plain)))
                .singleElement()
                .asString()
                .contains("p1", "without encryption");
        assertThat(layouts(true, Login.NONE).objections(mapWith(encrypted))).isEmpty();
        assertThat(layouts(false, Login.NONE).objections(mapWith(plain))).isEmpty();
    }

    @Test
    void login_goesToHostsOfTheConfigurationOnly_andToThoseItAllows() {
        Login login = new Login("app", "secret");
        PartitionUri strange = new PartitionUri(false, "10.0.0.66", 6379, 0, null, null);
        MappedPartition partition = MappedPartition.active(NAME, strange, 1);

        assertThat(layouts(false, login).objections(mapWith(strange)))
                .singleElement()
                .asString()
                .contains("10.0.0.66", "connection.hosts")
                .doesNotContain("secret");
        assertThat(layouts(false, login).options(partition).uri()).isEqualTo(strange);
        assertThat(layouts(false, login, "10.0.0.*").objections(mapWith(strange)))
                .isEmpty();
        assertThat(layouts(false, login, "10.0.0.*").options(partition).uri()).isEqualTo(strange.withDefault(login));
        assertThat(layouts(false, login, "10.0.0.6", "*.0.0", "10?0.0.66").objections(mapWith(strange)))
                .hasSize(1);
        assertThat(layouts(false, Login.NONE).objections(mapWith(strange))).isEmpty();
        assertThat(layouts(false, login).objections(mapWith(new PartitionUri(false, "10.0.0.1", 7000, 0, null, null))))
                .as("another port of a host that is named")
                .isEmpty();
    }

    @Test
    void replicas_areThoseOfTheConfiguration_atTheSameAddressOnly() {
        assertThat(options(MappedPartition.active(NAME, ADDRESS, 1)).replicas()).isEqualTo(REPLICAS);
        assertThat(options(MappedPartition.active(NAME, ADDRESS.at("10.0.0.9", 6379), 1))
                        .replicas())
                .isEmpty();
    }
}

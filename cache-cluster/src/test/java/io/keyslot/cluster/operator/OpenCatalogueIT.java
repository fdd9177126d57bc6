// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.read.ConfigurationLoader;
import io.keyslot.client.config.read.PartitionUriParser;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What commands see of the map, at real servers. */
@SideBySide
class OpenCatalogueIT {
    private final TestServers servers = TestServers.start(4);

    private final RedisClient client = RedisClient.create();

    @AfterEach
    void close() throws Exception {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        servers.close();
    }

    private List<String> keysOf(int server) {
        try (StatefulRedisConnection<String, String> connection =
                client.connect(RedisURI.create(servers.uri(server)))) {
            return connection.sync().keys("*");
        }
    }

    private ClientOptions options() {
        return options(servers.uri(0), servers.uri(1), servers.uri(2));
    }

    private ClientOptions options(String... addresses) {
        Properties properties = new Properties();
        properties.setProperty("keyslot.adoptInstances", "false");
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        URI uri = URI.create("test");
        return ConfigurationLoader.load(
                uri, uri, getClass().getClassLoader(), properties, Map.<String, String>of()::get);
    }

    private static PartitionMap weighed(PartitionMap map, String operation) {
        return map.next(
                new MapCommit(operation, "operator", "", Instant.EPOCH),
                content -> content.change(new PartitionId("p1"), weighed -> weighed.withWeight(7)));
    }

    @Test
    void withoutARegister_theMapIsThatOfTheConfiguration_andNothingIsWritten() throws Exception {
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            assertThat(catalogue.newest()).isEqualTo(catalogue.client().configured());
            assertThat(catalogue.doubt()).isEmpty();
            assertThat(catalogue.maps().read()).isEqualTo(catalogue.newest());
        }
        for (int i = 0; i < 4; i++) {
            assertThat(keysOf(i)).isEmpty();
        }
    }

    @Test
    void whatOneCommandStores_theNextOneReads() throws Exception {
        PartitionMap stored;
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            PartitionMap first = catalogue.maps().read();
            assertThat(catalogue.maps().compareAndSet(first, weighed(first, "plan-1")))
                    .isEqualTo(MapStore.Stored.DONE);
            stored = catalogue.newest();
            assertThat(stored.version()).isEqualTo(2);
            assertThat(stored.stamp().generation().number()).isEqualTo(1);
            assertThat(catalogue.maps().compareAndSet(first, weighed(first, "plan-2")))
                    .isEqualTo(MapStore.Stored.CONFLICT);
        }
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            assertThat(catalogue.newest()).isEqualTo(stored);
            assertThat(catalogue.maps().read()).isEqualTo(stored);
        }
    }

    @Test
    void connectors_reachThePartitionsOfTheMap_andOneThatIsToBeAdded() throws Exception {
        try (OpenCatalogue catalogue = OpenCatalogue.of(options())) {
            PartitionMap first = catalogue.maps().read();
            catalogue.maps().compareAndSet(first, weighed(first, "plan-1"));
            MappedPartition fourth =
                    MappedPartition.active(new PartitionId("p4"), PartitionUriParser.uri(servers.uri(3)), 1);

            PartitionConnector known = catalogue.connector(new PartitionId("p1"));
            PartitionConnector candidate = catalogue.connector(fourth, Adoption.UNUSED);

            known.connect().get(5, TimeUnit.SECONDS).close();
            candidate.look().get(5, TimeUnit.SECONDS);
            assertThat(keysOf(3)).isEmpty();
            assertThatThrownBy(() -> catalogue.connector(new PartitionId("p4")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void partitionThatDoesNotAnswer_leavesADoubt() {
        try (OpenCatalogue catalogue = OpenCatalogue.of(options(servers.uri(0), "redis://127.0.0.1:1"))) {
            assertThat(catalogue.doubt())
                    .hasValueSatisfying(why -> assertThat(why).contains("p2 does not answer ("));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.OperatorClient;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.read.ConfigurationLoader;
import io.keyslot.client.config.read.PartitionUriParser;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.CatalogueMaps;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveRuns;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slots have moved to a fourth server. Clients are still configured with three, and nobody has told them of a catalogue. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class OldConfigurationIT {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final PartitionId P4 = new PartitionId("p4");
    private static final int ENTRIES = 2_000;

    private final TestServers servers = TestServers.start(4);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> three = servers.uris().subList(0, 3);
    private OperatorClient operator;
    private MapStore maps;
    private CacheManager first;
    private Cache<String, Integer> cache;

    @BeforeEach
    void open() {
        first = KeyslotManagers.openPatiently("first", three);
        cache = cacheOf(first);
        for (int i = 0; i < ENTRIES; i++) {
            cache.put("k" + i, i);
        }
        Properties properties = new Properties();
        properties.setProperty("keyslot.adoptInstances", "false");
        properties.setProperty("keyslot.partitions", String.join(",", three));
        URI uri = URI.create("operator");
        ClientOptions options = ConfigurationLoader.load(
                uri, uri, getClass().getClassLoader(), properties, Map.<String, String>of()::get);
        operator = OperatorClient.open(options);
        maps = new CatalogueMaps(
                operator.catalogue(), new MoveTime(operator.timing().ticker(), operator.waiter()));
    }

    private static Cache<String, Integer> cacheOf(CacheManager manager) {
        return manager.unwrap(PartitionedCacheManager.class)
                .createCache(
                        "numbers",
                        new PartitionedConfiguration<String, Integer>()
                                .setMissingPartitionPolicy(MissingPartitionPolicy.FAIL));
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        operator.close();
        threads.shutdownNow();
        servers.close();
    }

    private PartitionMap change(String operation, UnaryOperator<MapContent> change) throws Exception {
        PartitionMap before = maps.read();
        assertThat(maps.compareAndSet(
                        before, before.next(new MapCommit(operation, "operator", "", Instant.EPOCH), change)))
                .isEqualTo(MapStore.Stored.DONE);
        return maps.read();
    }

    private void move(String id, PartitionId from, int slots) throws Exception {
        PartitionMap map = change("begin-" + id, content -> {
            SlotSet moved = content.slots().slotsOf(from).lowest(slots);
            return content.begin(Move.begun(id, from, P4, moved, "operator"));
        });
        MoveRuns runs = new MoveRuns(
                "operator-" + id,
                maps,
                partition -> connector(map, partition),
                new MoveTime(operator.timing().ticker(), operator.waiter()),
                threads);
        assertThat(runs.run()).containsExactly(Map.entry(id, Migration.Outcome.FINISHED));
    }

    private PartitionConnector connector(PartitionMap map, PartitionId id) {
        return operator.door().connector(map.content().partition(id).orElseThrow(), map, Adoption.UNUSED);
    }

    @Test
    void clientThatStartsWithIt_findsWhatIsElsewhereNow_andFailsNoCall() throws Exception {
        change("add", content -> content.add(MappedPartition.active(P4, PartitionUriParser.uri(servers.uri(3)), 1)));
        move("m1", P1, 700);
        move("m2", P2, 700);
        move("m3", P3, 100); // from now on none of the three lets anybody in who knows their configuration only

        try (CacheManager second = KeyslotManagers.openPatiently("second", three)) {
            Cache<String, Integer> late = cacheOf(second);
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(late.get("k" + i)).isEqualTo(i);
                late.put("k" + i, -i);
            }
            assertThat(second.unwrap(PartitionedCacheManager.class).slotMap().slotsOf(P4))
                    .isEqualTo(1_500);
        }
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(cache.get("k" + i)).isEqualTo(-i);
        }
    }
}

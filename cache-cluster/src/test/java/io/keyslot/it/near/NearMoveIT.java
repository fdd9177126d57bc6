// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.ClientAssembly;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.register.Generation;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.MapInMemory;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A fourth server gets slots of three, and gives some of them back, while one process reads near copies and listens, and
 * another writes: nothing is found that is too old, and no change is lost without a gap.
 */
@Tag("thorough")
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class NearMoveIT {
    private static final List<PartitionId> ALL = IntStream.rangeClosed(1, 4)
            .mapToObj(number -> new PartitionId("p" + number))
            .toList();
    private static final List<PartitionId> THREE = ALL.subList(0, 3);
    private static final PartitionId NEW = ALL.get(3);
    private static final int SLOTS_OF_EACH = 400;
    private static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RedisResources resources = RedisResources.create(new SystemTicker());
    private TestServers servers;
    private MapInMemory map;
    private KeyslotCachingProvider provider;

    @BeforeEach
    void open() {
        servers = TestServers.start(ALL.size());
        MapContent content = new MapContent(
                THREE.stream().map(this::partition).toList(), SlotTable.of(SlotMap.ofEqualShares(1, THREE)), List.of());
        map = new MapInMemory(
                new PartitionMap(new MapStamp(Generation.CONFIGURED, 1), MapCommit.CONFIGURED, content), threads);
        provider = new KeyslotCachingProvider(new ClientAssembly(map::source));
    }

    private MappedPartition partition(PartitionId id) {
        PartitionUri uri = PartitionUriParser.uri(servers.uri(ALL.indexOf(id)));
        return MappedPartition.active(id, uri, 1);
    }

    private CacheManager manager(String name) {
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty(
                "keyslot.partitions", String.join(",", servers.uris().subList(0, THREE.size())));
        return provider.getCacheManager(URI.create(name), getClass().getClassLoader(), properties);
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
        threads.shutdownNow();
        resources.close();
        servers.close();
    }

    @Test
    void whileSlotsMoveAndComeBack_nothingIsTooOld_andNothingIsLostWithoutAGap() throws Exception {
        try (NearRun run = new NearRun(
                        servers.ports(), manager("near"), manager("writer"), Duration.ZERO, NearRun.STALENESS);
                WrittenOnce events = new WrittenOnce(run.reading(), run.writing())) {
            run.begin();
            events.begin();
            map.change(content -> content.add(partition(NEW)));

            Map<PartitionId, SlotSet> given = new HashMap<>();
            for (PartitionId giver : THREE) {
                SlotSet slots = SlotSet.of(map.read().slotMap().rangesOf(giver)).highest(SLOTS_OF_EACH);
                given.put(giver, slots);
                move(giver, NEW, slots);
            }
            assertThat(map.read().slotMap().slotsOf(NEW)).isEqualTo(SLOTS_OF_EACH * THREE.size());
            PartitionId first = THREE.get(0);
            move(NEW, first, Objects.requireNonNull(given.get(first)));

            events.end("moves");
            Ages unused = run.end("moves");
            run.awaitKept();
        }
    }

    private void move(PartitionId from, PartitionId to, SlotSet slots) {
        String id = from + "-" + to;
        map.change(content -> content.begin(Move.begun(id, from, to, slots, "test")));
        Migration run = new Migration(id, "coordinator-" + id, map, this::connector, TIME);

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(Migration.Outcome.FINISHED);
    }

    private PartitionConnector connector(PartitionId id) {
        return MapInMemory.connector(resources, servers.uri(ALL.indexOf(id)), id, map.read());
    }
}

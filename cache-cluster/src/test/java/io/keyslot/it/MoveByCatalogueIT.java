// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.Deadlines;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.catalogue.Catalogue;
import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.CatalogueSource;
import io.keyslot.client.catalogue.FileCatalogue;
import io.keyslot.client.catalogue.MapLayouts;
import io.keyslot.client.config.TlsOptions;
import io.keyslot.client.config.value.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.map.Generation;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PartitionIdentity;
import io.keyslot.client.partition.redis.RedisConnector;
import io.keyslot.client.partition.redis.RedisResources;
import io.keyslot.client.time.SystemTicker;
import io.keyslot.client.time.SystemWaiter;
import io.keyslot.client.time.Timing;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.CatalogueMaps;
import io.keyslot.cluster.move.MoveRun;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The map is a file. An operator writes into it that slots move, a coordinator moves them, and a client follows by itself. */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class MoveByCatalogueIT {
    private static final List<PartitionId> TWO = List.of(new PartitionId("p1"), new PartitionId("p2"));
    private static final Deadlines PATIENT =
            new Deadlines(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));
    private static final MoveTime TIME = new MoveTime(new SystemTicker(), new SystemWaiter());

    @TempDir
    private Path folder;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final RedisResources resources = RedisResources.create(System::nanoTime);
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private TestServers servers;
    private Catalogue catalogue;
    private PartitionMap first;
    private KeyslotCachingProvider provider;
    private PartitionedCacheManager manager;
    private Cache<String, Integer> cache;

    @BeforeEach
    void open() {
        servers = TestServers.start(TWO.size());
        SlotMap slots = SlotMap.ofEqualShares(1, TWO);
        List<MappedPartition> partitions = IntStream.range(0, TWO.size())
                .mapToObj(i -> MappedPartition.active(TWO.get(i), PartitionUriParser.uri(servers.uri(i)), 1))
                .toList();
        first = new PartitionMap(
                new MapStamp(Generation.CONFIGURED, 1),
                MapCommit.CONFIGURED,
                new MapContent(partitions, SlotTable.of(slots), List.of()));
        catalogue = new FileCatalogue(folder.resolve("map.json"), first, threads);
        Timing timing = new Timing(new SystemTicker(), threads, new Random(1));
        provider = new KeyslotCachingProvider(
                new ClientAssembly(options -> new CatalogueSource(catalogue, first, MapLayouts.of(options), timing)));
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", servers.uri(0) + "," + servers.uri(1));
        manager = provider.getCacheManager(URI.create("followed"), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
        cache = manager.createCache(
                "numbers",
                new PartitionedConfiguration<String, Integer>().setMissingPartitionPolicy(MissingPartitionPolicy.FAIL));
    }

    @AfterEach
    void close() throws Exception {
        goesOn.set(false);
        provider.close();
        threads.shutdownNow();
        resources.close();
        servers.close();
    }

    @Test
    void client_followsTheFile_andLosesNothing() throws Exception {
        Future<Integer> caller = threads.submit(this::work);
        CatalogueMaps maps = new CatalogueMaps(catalogue, TIME);
        SlotSet all = SlotSet.of(first.slotMap().rangesOf(TWO.get(0))).lowest(1_000);
        PartitionMap begun = maps.read()
                .next(
                        new MapCommit("plan-1", "operator", "", Instant.EPOCH),
                        content -> content.begin(Move.begun("m1", TWO.get(0), TWO.get(1), all, "operator")));
        assertThat(catalogue.compareAndSet(begun).get(10, TimeUnit.SECONDS)).isInstanceOf(CatalogueAnswer.Ok.class);

        MoveRun run = new MoveRun("m1", "coordinator-1", maps, this::connector, TIME);

        assertThat(run.run()).as(run.progress().toString()).isEqualTo(MoveRun.Outcome.FINISHED);
        goesOn.set(false);
        assertThat(caller.get(30, TimeUnit.SECONDS)).isPositive();
        PartitionMap last = maps.read();
        assertThat(last.moves()).isEmpty();
        assertThat(last.slotMap().slotsOf(TWO.get(0))).isEqualTo(8_192 - 1_000);
        assertThat(manager.slotMap().slotsOf(TWO.get(0))).isEqualTo(8_192 - 1_000);
    }

    /** Each call finds what the one before has written. */
    private int work() {
        int calls = 0;
        while (goesOn.get()) {
            String key = "k" + calls % 300;
            Integer expected = calls < 300 ? null : (Integer) (calls - 300);
            assertThat(cache.getAndPut(key, calls)).isEqualTo(expected);
            assertThat(cache.get(key)).isEqualTo(calls);
            calls++;
        }
        return calls;
    }

    private PartitionConnector connector(PartitionId id) {
        PartitionIdentity identity = new PartitionIdentity(id, first.slotMap(), "", false, Adoption.UNUSED);
        return RedisConnector.create(
                resources, servers.uri(TWO.indexOf(id)), identity, PATIENT, TlsOptions.defaults(), "coordinator");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.Migration;
import io.keyslot.cluster.move.MoveRuns;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.OtherJvm;
import io.keyslot.it.SideBySide;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinators are killed (SIGKILL) in a freeze: one before the map is changed, one behind it. Nobody goes on with the moves. The
 * application does, with all keys and within a bound, as its clients find out by themselves; and nothing is lost.
 */
@Tag("thorough")
@SideBySide
class StuckSlotsIT {
    private static final Logger LOG = LoggerFactory.getLogger(StuckSlotsIT.class);

    private static final int KEYS = 12;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final long BETWEEN_CALLS_NANOS = 1_000_000;

    /** A quick start, for processes that do little. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-Xmx128m");

    private final LocalServers servers = TestServers.none();
    private final List<String> addresses =
            servers.start(4).stream().map(LocalServer::uri).toList();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private final WriteLog log = new WriteLog();
    private final CacheManager manager = KeyslotManagers.open("frozen", addresses, Map.of());
    private final Cache<String, Long> cache = manager.createCache(
            "value", new PartitionedConfiguration<String, Long>().setMissingPartition(MissingPartitionPolicy.FAIL));

    /** It marks no instance as ours, which the manager has done. */
    private final OpenCatalogue operator = OpenCatalogue.of(properties());

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.engine", "instances");
        properties.setProperty("keyslot.partitions", String.join(",", addresses));
        return properties;
    }

    @AfterEach
    void close() {
        goesOn.set(false);
        threads.shutdownNow();
        manager.close();
        operator.close();
        servers.close();
    }

    @Test
    void coordinatorsThatDieInAFreeze_keepNobodyFromWriting() throws Exception {
        List<String> uncommitted = keysOf("p1");
        List<String> committed = keysOf("p3");
        begin(move("m-1", "p1", "p2", uncommitted), move("m-2", "p3", "p4", committed));
        List<Future<?>> writers =
                List.of(threads.submit(() -> write(uncommitted)), threads.submit(() -> write(committed)));
        try (OtherJvm one = start("m-1", "p1 CLOSED");
                OtherJvm other = start("m-2", "p3 MOVED")) {
            one.awaitLine(Pipe.STEP + "p1 CLOSED");
            other.awaitLine(Pipe.STEP + "p3 MOVED");
        }
        assertThat(frozen(map(), uncommitted)).isNotEmpty();
        long begin = System.nanoTime();

        awaitWrites(uncommitted);
        awaitWrites(committed);

        Duration paused = Duration.ofNanos(System.nanoTime() - begin);
        LOG.info("writes went on {} ms after the coordinators were killed", paused.toMillis());
        assertThat(map().moves())
                .as("nobody has ended them")
                .hasSize(2)
                .allMatch(move -> move.coordinator().isNone());
        Map<String, Migration.Outcome> ended =
                new MoveRuns("last", operator.maps(), operator::connector, operator.time(), threads).run();
        assertThat(ended)
                .containsOnlyKeys("m-1", "m-2")
                .allSatisfy((move, outcome) -> assertThat(outcome).isEqualTo(Migration.Outcome.FINISHED));
        goesOn.set(false);
        for (Future<?> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
        uncommitted.forEach(key -> log.found(key, log.acknowledged(key), cache.get(key)));
        committed.forEach(key -> log.found(key, log.acknowledged(key), cache.get(key)));
        assertThat(log.violations()).isEmpty();
    }

    private PartitionMap map() {
        try {
            return operator.maps().read();
        } catch (MapStore.UnavailableException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> keysOf(String partition) {
        PartitionMap map = map();
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "k" + i)
                .filter(key -> map.ownerOf(slotOf(key)).stream().anyMatch(new PartitionId(partition)::equals))
                .limit(KEYS)
                .toList();
    }

    private static int slotOf(String key) {
        return EncodedKey.of("value:" + key).slot();
    }

    private static Move move(String id, String from, String to, List<String> keys) {
        SlotSet slots = SlotSet.of(keys.stream().mapToInt(StuckSlotsIT::slotOf));
        return Move.begun(id, new PartitionId(from), new PartitionId(to), slots, "operator");
    }

    private void begin(Move one, Move other) {
        PartitionMap before = map();
        PartitionMap next = before.next(
                new MapCommit("plan", "operator", "", Instant.EPOCH),
                content -> content.begin(one).begin(other));
        assertThat(operator.maps().compareAndSet(before, next)).isEqualTo(MapStore.Stored.DONE);
    }

    private OtherJvm start(String move, String step) throws Exception {
        return OtherJvm.start(QUICK_START, FreezingMain.class, move, step, "1", String.join(",", addresses));
    }

    /** Returns the keys whose slots are not at the target. */
    private static List<String> frozen(PartitionMap map, List<String> keys) {
        return keys.stream()
                .filter(key -> map.content()
                        .moveOf(slotOf(key))
                        .orElseThrow()
                        .uncommitted()
                        .contains(slotOf(key)))
                .toList();
    }

    private void write(List<String> keys) {
        for (int i = 0; goesOn.get(); i++) {
            String key = keys.get(i % keys.size());
            long value = log.begin(key);
            try {
                log.found(key, log.acknowledged(key), cache.get(key));
                cache.put(key, value);
                log.acknowledge(key, value);
            } catch (KeyslotException refused) {
                // it was frozen for as long as a call takes
            }
            LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
        }
    }

    private void awaitWrites(List<String> keys) {
        Map<String, Long> before = new HashMap<>();
        keys.forEach(key -> before.put(key, log.acknowledged(key)));
        Awaitility.await()
                .atMost(LONGEST)
                .until(() -> keys.stream().allMatch(key -> log.acknowledged(key) > before.getOrDefault(key, 0L)));
    }

    /**
     * The other process: plays a move by the catalogue of the instances, and stands still before a step until it is killed. Steps
     * before the first freeze are not counted.
     */
    static final class FreezingMain {
        private FreezingMain() {}

        /** Takes a move, a step, how many times it comes before that, and the addresses of the servers. */
        public static void main(String[] arguments) throws Exception {
            String move = arguments[0];
            String last = arguments[1];
            int[] left = {Integer.parseInt(arguments[2])};
            Properties properties = new Properties();
            properties.putAll(KeyslotManagers.LONG_DEADLINES);
            properties.setProperty("keyslot.engine", "instances");
            properties.setProperty("keyslot.partitions", arguments[3]);
            boolean[] isFrozen = {false};
            StepWatch watch = new StepWatch(step -> {
                isFrozen[0] |= step.endsWith(" FROZEN");
                if (isFrozen[0] && step.equals(last) && left[0]-- == 0) {
                    System.out.println(Pipe.STEP + step);
                    while (true) {
                        LockSupport.park();
                    }
                }
            });
            ExecutorService threads = Executors.newCachedThreadPool();
            try (OpenCatalogue client = OpenCatalogue.of(properties)) {
                MoveRuns runs = new MoveRuns(
                        "freezing-" + move,
                        watch.watch(client.maps()),
                        watch.watch(client::connector),
                        client.time(),
                        threads);
                System.out.println(Pipe.OVER + runs.run(some -> some.id().equals(move)));
            }
            threads.shutdownNow();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.slot.HashSlot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that a cluster names answer reads: never with what is older than the bound, and always with our own writes. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // the cluster is set before all tests
class AnnouncedReplicasIT {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int KEYS = 24;
    private static final AtomicInteger OPENED = new AtomicInteger();

    @AutoClose
    private static LocalCluster cluster;

    private final List<CacheManager> managers = new ArrayList<>();
    private PartitionedCache<String, Long> reader;
    private PartitionedCache<String, Long> writer;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.start(3, 1);
    }

    @BeforeEach
    void open() {
        writer = open("writer", null);
        reader = open("reader", ReplicaReads.upTo(BOUND));
    }

    @AfterEach
    void close() {
        managers.forEach(CacheManager::close);
    }

    private PartitionedCache<String, Long> open(String process, ReplicaReads reads) {
        return open(process, reads, Map.of());
    }

    @SuppressWarnings("unchecked") // the cache that is made here
    private PartitionedCache<String, Long> open(String process, ReplicaReads reads, Map<String, ?> settings) {
        CacheManager manager = KeyslotManagers.openCluster(process + "-" + OPENED.incrementAndGet(), cluster, settings);
        managers.add(manager);
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, Long.class);
        if (reads != null) {
            configuration.setReads(reads);
        }
        return manager.createCache("versions", configuration).unwrap(PartitionedCache.class);
    }

    /** A read like any other: of several replicas, the next one answers. */
    private static ReplicaState reads(PartitionedCache<String, Long> cache, String key) {
        return cache.explain(key).replica();
    }

    private static void awaitReadsOf(PartitionedCache<String, Long> cache, String key, ClusterNode replica) {
        Awaitility.await().atMost(LONG).until(() -> {
            ReplicaState state = reads(cache, key);
            return state.answer() == ReplicaAnswer.REPLICA && replica.uri().equals(state.replica());
        });
    }

    private ClusterNode ownerOf(String key) {
        return cluster.ownerOf(slotOf(key));
    }

    private static int slotOf(String key) {
        return HashSlot.of("versions:" + key);
    }

    private ClusterNode replicaOf(String key) {
        return cluster.replicasOf(ownerOf(key)).get(0);
    }

    /** What one process writes and reads, and another one writes, by chance. */
    private final class Load {
        private final Random random;
        private final String description;
        private final Map<String, Versions> ofOthers = new HashMap<>();
        private final Map<String, Versions> own = new HashMap<>();
        private final Map<ReplicaAnswer, Integer> answers = new HashMap<>();

        Load(long seed) {
            random = new Random(seed);
            description = "seed " + seed;
            for (int i = 0; i < KEYS; i++) {
                ofOthers.computeIfAbsent("other:" + i, key -> new Versions()).write(writer, "other:" + i);
                own.computeIfAbsent("own:" + i, key -> new Versions()).write(reader, "own:" + i);
            }
        }

        void until(BooleanSupplier isOver) {
            while (!isOver.getAsBoolean()) {
                step();
            }
        }

        private void step() {
            int kind = random.nextInt(100);
            int number = random.nextInt(KEYS);
            String other = "other:" + number;
            String mine = "own:" + number;
            if (kind < 5) {
                ofOthers.get(other).write(writer, other);
            } else if (kind < 8) {
                own.get(mine).write(reader, mine);
            } else if (kind < 50) {
                long begun = System.nanoTime();
                assertFresh(other, reader.get(other), begun);
            } else if (kind < 75) {
                assertThat(reader.get(mine))
                        .as("%s: %s", description, mine)
                        .isEqualTo(own.get(mine).newest());
            } else if (kind < 76) {
                answers.merge(reader.explain(other).replica().answer(), 1, Integer::sum);
            } else {
                long begun = System.nanoTime();
                Map<String, Long> found = reader.getAll(new HashSet<>(List.of(mine, other, "other:0")));
                assertThat(found)
                        .as("%s: getAll", description)
                        .containsEntry(mine, own.get(mine).newest());
                assertFresh(other, found.get(other), begun);
                assertFresh("other:0", found.get("other:0"), begun);
            }
        }

        private void assertFresh(String key, Long found, long begun) {
            Versions versions = ofOthers.get(key);
            assertThat(versions.isTooOld(found, begun, BOUND))
                    .as("%s: %s has version %d, the newest is %d", description, key, found, versions.newest())
                    .isFalse();
        }

        int answeredByReplicas() {
            return answers.getOrDefault(ReplicaAnswer.REPLICA, 0);
        }
    }

    /** Has a replica lose its primary, and not come back to it: it answers with what it has. */
    private static void hold(ClusterNode primary, ClusterNode replica) {
        replica.ask("CONFIG", "SET", "masterauth", "wrong");
        primary.ask("CLIENT", "KILL", "TYPE", "replica");
    }

    private static void goOn(ClusterNode replica) {
        replica.ask("CONFIG", "SET", "masterauth", "");
    }

    @Test
    void replicationThatIsHeld_readsAreNeverOlderThanTheBound_andSeeOwnWrites() {
        assertNeverOlderWhileHeld(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void replicationThatIsHeldInOtherWays_isLikewise(long seed) {
        assertNeverOlderWhileHeld(seed);
    }

    private void assertNeverOlderWhileHeld(long seed) {
        Load load = new Load(seed);
        awaitReadsOf(reader, "other:0", replicaOf("other:0"));
        Random random = new Random(seed);
        for (int change = 0; change < 4; change++) {
            ClusterNode primary = ownerOf("other:" + random.nextInt(KEYS));
            ClusterNode replica = cluster.replicasOf(primary).get(0);
            boolean isSuspended = random.nextInt(3) == 0;
            if (isSuspended) {
                replica.server().suspend();
            } else {
                hold(primary, replica);
            }
            load.until(after(Duration.ofMillis(300 + random.nextInt(900))));
            if (isSuspended) {
                replica.server().resume();
            } else {
                goOn(replica);
            }
            load.until(after(Duration.ofMillis(random.nextInt(500))));
        }

        assertThat(load.answeredByReplicas()).as("answers: %s", load.answers).isGreaterThan(10);
    }

    private static BooleanSupplier after(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() > end;
    }

    /** Nothing is lost by what servers agree on, so nothing but the bound may be seen. */
    @Test
    void failoversAndSlotsThatMove_leaveReadsThatAreNoOlderThanTheBound_withOwnWrites() {
        Load load = new Load(5);
        awaitReadsOf(reader, "other:0", replicaOf("other:0"));
        ClusterNode first = ownerOf("other:0");
        ClusterNode promoted = replicaOf("other:0");

        load.until(done(() -> cluster.failOverTo(promoted)));
        load.until(after(Duration.ofSeconds(1)));
        List<Integer> slots = IntStream.range(0, KEYS)
                .mapToObj(i -> slotOf("other:" + i))
                .filter(slot -> cluster.ownerOf(slot).equals(promoted))
                .toList();
        ClusterNode heir = cluster.primaries().stream()
                .filter(node -> !node.equals(promoted))
                .findFirst()
                .orElseThrow();
        load.until(done(() -> cluster.moveSlots(promoted, heir, slots)));
        load.until(after(Duration.ofSeconds(1)));
        load.until(done(() -> cluster.failOverTo(first)));
        load.until(after(Duration.ofSeconds(1)));
        load.until(done(() -> cluster.moveSlots(heir, first, slots)));

        awaitReadsOf(reader, "other:0", promoted);
        load.until(after(Duration.ofSeconds(1)));
        assertThat(slots).isNotEmpty();
    }

    private static BooleanSupplier done(Runnable change) {
        CompletableFuture<Void> changed = CompletableFuture.runAsync(change);
        return () -> {
            if (changed.isDone()) {
                changed.join();
            }
            return changed.isDone();
        };
    }

    @Test
    void replicaThatIsAdded_isRead_andOneThatFollowsAnotherPrimary_isNot() {
        writer.put("a", 1L);
        ClusterNode first = replicaOf("a");
        awaitReadsOf(reader, "a", first);
        ClusterNode added = cluster.add();
        String primary = ownerOf("a").id();
        added.ask("CLUSTER", "REPLICATE", primary);
        cluster.awaitAgreement();

        awaitReadsOf(reader, "a", added);
        ClusterNode other = cluster.primaries().stream()
                .filter(node -> !node.id().equals(primary))
                .findFirst()
                .orElseThrow();
        first.ask("CLUSTER", "REPLICATE", other.id());
        cluster.awaitAgreement();
        writer.put("a", 2L);

        Awaitility.await()
                .atMost(LONG)
                .until(() -> !first.uri().equals(reads(reader, "a").replica()));
        awaitReadsOf(reader, "a", added);
        String elsewhere = keyOf(other);
        writer.put(elsewhere, 1L);
        awaitReadsOf(reader, elsewhere, first);
        added.server().kill();
        Awaitility.await().atMost(LONG).until(() -> reads(reader, "a").answer() != ReplicaAnswer.REPLICA);
        assertThat(reader.get("a")).isEqualTo(2L);

        added.server().restart();
        cluster.awaitAgreement();
        first.ask("CLUSTER", "REPLICATE", primary);
        cluster.awaitAgreement();
        awaitReadsOf(reader, "a", first);
    }

    private String keyOf(ClusterNode owner) {
        Set<Integer> slots = Set.copyOf(owner.slots());
        return IntStream.range(0, 10_000)
                .mapToObj(number -> "k" + number)
                .filter(key -> slots.contains(slotOf(key)))
                .findFirst()
                .orElseThrow();
    }
}

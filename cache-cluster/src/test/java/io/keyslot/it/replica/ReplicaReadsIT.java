// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica answers reads: never with what is older than the bound, always with our own writes, and with nobody else's data. */
class ReplicaReadsIT {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int KEYS = 8;
    private static final Pattern MGET = Pattern.compile("cmdstat_mget:calls=(\\d+)");
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final List<CacheManager> managers = new ArrayList<>();
    private LocalServers servers;
    private LocalServer primary;
    private LocalServer replica;
    private FaultProxy replication;
    private Cache<String, Long> reader;
    private Cache<String, Long> writer;

    @BeforeEach
    void start() throws IOException {
        servers = TestServers.none();
        primary = servers.start("--repl-diskless-sync-delay", "0");
        replication = new FaultProxy(primary.port());
        replica = servers.start("--replicaof", "127.0.0.1 " + portOf(replication));
        awaitFollowing(replica);
        writer = open("writer", primary.uri(), null);
        reader = open("reader", primary.uri(), replica.uri());
    }

    @AfterEach
    void end() throws IOException {
        managers.forEach(CacheManager::close);
        replication.close();
        servers.close();
    }

    private static int portOf(FaultProxy proxy) {
        return Integer.parseInt(proxy.uri().substring(proxy.uri().lastIndexOf(':') + 1));
    }

    private static void awaitFollowing(LocalServer server) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> Resp.run(server.port(), "INFO", "replication").contains("master_link_status:up"));
    }

    /** Opens a manager of one partition, with a replica or without. */
    private Cache<String, Long> open(String process, String address, String follower) {
        return open(process, address, follower, ReplicaReads.upTo(BOUND));
    }

    /** As above; the replica is nearer than the primary. */
    private Cache<String, Long> open(String process, String address, String follower, ReplicaReads reads) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("keyslot.zone", "here");
        settings.put("keyslot.partitions.p1.uri", address);
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, Long.class);
        if (follower != null) {
            settings.put("keyslot.partitions.p1.replicas", "here=" + follower);
            configuration.setReads(reads);
        }
        CacheManager manager = KeyslotManagers.openPartitions(process + "-" + OPENED.incrementAndGet(), settings);
        managers.add(manager);
        return manager.createCache("versions", configuration);
    }

    private long answered(LocalServer server) throws IOException {
        Matcher calls = MGET.matcher(Resp.run(server.port(), "INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** Reads until a replica has answered. */
    private void awaitReplica(String key) throws IOException {
        long before = answered(replica);
        Awaitility.await().atMost(LONG).until(() -> {
            reader.get(key);
            return answered(replica) > before;
        });
    }

    @Tag("thorough")
    @Test
    void replicationThatIsHeldAndDelayed_readsAreNeverOlderThanTheBound_andSeeOwnWrites() throws Exception {
        assertNeverOlder(1);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void replicationThatIsLateInOtherWays_isLikewise(long seed) throws Exception {
        assertNeverOlder(seed);
    }

    @Tag("thorough")
    @Test
    void replicaThatIsNearest_andFollowsLate_isNeverOlderThanTheBound() throws Exception {
        reader = open("nearest", primary.uri(), replica.uri(), ReplicaReads.nearest(BOUND));

        assertNeverOlder(11);
    }

    private void assertNeverOlder(long seed) throws Exception {
        Random random = new Random(seed);
        Map<String, Versions> ofOthers = new HashMap<>();
        Map<String, Versions> own = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            ofOthers.computeIfAbsent("other:" + i, key -> new Versions()).write(writer, "other:" + i);
            own.computeIfAbsent("own:" + i, key -> new Versions()).write(reader, "own:" + i);
        }
        awaitReplica("other:0");
        long before = answered(replica);
        List<NetworkFault> faults = List.of(NetworkFault.NONE, NetworkFault.DELAY, NetworkFault.FREEZE);
        long end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
        long change = System.nanoTime();
        while (System.nanoTime() < end) {
            if (System.nanoTime() > change) {
                replication.set(faults.get(random.nextInt(faults.size())));
                change = System.nanoTime()
                        + Duration.ofMillis(200 + random.nextInt(1_000)).toNanos();
            }
            step(random, ofOthers, own, seed);
        }
        replication.set(NetworkFault.NONE);

        assertThat(answered(replica)).as("the replica has answered").isGreaterThan(before + 100);
    }

    private void step(Random random, Map<String, Versions> ofOthers, Map<String, Versions> own, long seed) {
        int kind = random.nextInt(100);
        int number = random.nextInt(KEYS);
        if (kind < 5) {
            ofOthers.get("other:" + number).write(writer, "other:" + number);
        } else if (kind < 8) {
            own.get("own:" + number).write(reader, "own:" + number);
        } else if (kind < 50) {
            String key = "other:" + number;
            long begun = System.nanoTime();
            Long found = reader.get(key);
            assertThat(ofOthers.get(key).isTooOld(found, begun, BOUND))
                    .as(
                            "seed %d: %s has version %d, the newest is %d",
                            seed, key, found, ofOthers.get(key).newest())
                    .isFalse();
        } else if (kind < 75) {
            String key = "own:" + number;
            assertThat(reader.get(key))
                    .as("seed %d: own %s", seed, key)
                    .isEqualTo(own.get(key).newest());
        } else {
            long begun = System.nanoTime();
            Map<String, Long> found = reader.getAll(Set.of("own:" + number, "other:" + number));
            assertThat(found.get("own:" + number))
                    .isEqualTo(own.get("own:" + number).newest());
            assertThat(ofOthers.get("other:" + number).isTooOld(found.get("other:" + number), begun, BOUND))
                    .as("seed %d: getAll", seed)
                    .isFalse();
        }
    }

    /** The same names and keys elsewhere: what is stored there is of another epoch, and so is the beat. */
    @Test
    void replicaThatFollowsAnotherPrimary_isNotRead() throws Exception {
        LocalServer foreign = servers.start("--repl-diskless-sync-delay", "0");
        Cache<String, Long> elsewhere = open("elsewhere", foreign.uri(), null);
        Versions here = new Versions();
        here.write(writer, "a");
        elsewhere.put("a", -1L);
        awaitReplica("a");

        Resp.run(replica.port(), "REPLICAOF", "127.0.0.1", String.valueOf(foreign.port()));
        readUntil(() -> {
            String info = Resp.run(replica.port(), "INFO", "replication");
            return info.contains("master_port:" + foreign.port()) && info.contains("master_link_status:up");
        });
        Cache<String, Long> beating = open("beating", foreign.uri(), replica.uri());
        beating.put("a", -2L);
        long before = answered(replica);
        readUntil(() -> {
            beating.get("a");
            return answered(replica) > before;
        });
        readFor(Duration.ofSeconds(2), here);
    }

    @Tag("thorough")
    @Test
    void replicaThatIsPromoted_isNotRead_thoughItsClientsWriteThere() throws Exception {
        Versions here = new Versions();
        here.write(writer, "a");
        awaitReplica("a");

        Resp.run(replica.port(), "REPLICAOF", "NO", "ONE");
        Cache<String, Long> elsewhere = open("elsewhere", replica.uri(), null);
        elsewhere.put("a", -1L);

        readFor(Duration.ofSeconds(2), here);
    }

    @Test
    void replicaThatIsKilled_isReplacedByThePrimary_andReadAgainWhenItIsBack() throws Exception {
        Versions here = new Versions();
        here.write(writer, "a");
        awaitReplica("a");

        replica.kill();
        readFor(Duration.ofSeconds(1), here);

        replica.restart();
        awaitFollowing(replica);
        awaitReplica("a");
    }

    /** A replica that has nothing to say about an entry has nobody load it, and what is removed is not found for longer than the bound. */
    @Test
    void removedElsewhere_isNotFoundAfterTheBound() throws Exception {
        writer.put("a", 1L);
        awaitReplica("a");
        replication.set(NetworkFault.FREEZE);
        writer.remove("a");
        long removed = System.nanoTime();

        while (System.nanoTime() - removed < Duration.ofSeconds(2).toNanos()) {
            long begun = System.nanoTime();
            Long found = reader.get("a");
            assertThat(found != null && begun - removed > BOUND.toNanos()).isFalse();
        }
        replication.set(NetworkFault.NONE);
    }

    @FunctionalInterface
    private interface Fact {
        boolean holds() throws IOException;
    }

    private void readUntil(Fact fact) {
        Awaitility.await().atMost(LONG).until(() -> {
            assertThat(reader.get("a")).isPositive();
            return fact.holds();
        });
    }

    /** Reads what a writer writes meanwhile: nobody else's, and nothing too old. */
    private void readFor(Duration time, Versions here) {
        long end = System.nanoTime() + time.toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
            if (i % 20 == 0) {
                here.write(writer, "a");
            }
            long begun = System.nanoTime();
            Long found = reader.get("a");
            assertThat(found).isNotNull().isPositive();
            assertThat(here.isTooOld(found, begun, BOUND)).isFalse();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.it.fault.Resp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary that is killed, stopped and restarted, with what it had or without, and a replica that follows late: by chance, while two
 * processes write and one of them reads. What it reads is checked against what was acknowledged.
 */
@Tag("thorough")
class OutageReadsIT {
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int KEYS = 6;
    private static final int OUTAGES = 4;
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final List<CacheManager> managers = new ArrayList<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Map<String, List<Version>> versions = new HashMap<>();
    private LocalServers servers;
    private LocalServer primary;
    private LocalServer replica;
    private FaultProxy replication;
    private final Map<String, Integer> cleared = new HashMap<>();
    private Cache<String, Long> reader;
    private Cache<String, Long> writer;
    private int incarnation;

    /**
     * A write.
     *
     * @param incarnation how often the primary had been restarted
     * @param acknowledgedNanos 0 if it was not: it may have been done or not
     */
    private record Version(int incarnation, long acknowledgedNanos) {
        boolean isAcknowledged() {
            return acknowledgedNanos != 0;
        }
    }

    @BeforeEach
    void start() throws IOException {
        servers = TestServers.none();
        primary = servers.start("--repl-diskless-sync-delay", "0");
        replication = new FaultProxy(primary.port());
        String port = replication.uri().substring(replication.uri().lastIndexOf(':') + 1);
        replica = servers.start("--replicaof", "127.0.0.1 " + port);
        awaitFollowing();
        writer = open("writer", false);
        reader = open("reader", true);
    }

    @AfterEach
    void end() throws IOException {
        managers.forEach(CacheManager::close);
        replication.close();
        servers.close();
    }

    private void awaitFollowing() {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> Resp.run(replica.port(), "INFO", "replication").contains("master_link_status:up"));
    }

    private Cache<String, Long> open(String process, boolean isReader) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("keyslot.partitions.p1.uri", primary.uri());
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, Long.class);
        if (isReader) {
            settings.put("keyslot.partitions.p1.replicas", replica.uri());
            settings.put("keyslot.meterRegistry", registry);
            configuration.setReads(ReplicaReads.upTo(BOUND));
        }
        CacheManager manager = KeyslotManagers.openPartitions(process + "-" + OPENED.incrementAndGet(), settings);
        managers.add(manager);
        return manager.createCache("versions", configuration);
    }

    private boolean areHealthy() {
        return managers.stream()
                .map(manager ->
                        ((PartitionedCacheManager) manager).partitions().get(0).state())
                .allMatch(PartitionState.HEALTHY::equals);
    }

    private double answered() {
        return registry.get("keyslot.replica.reads")
                .tag("reason", "replica")
                .counter()
                .count();
    }

    @Test
    void outages_leaveReadsThatAreNoOlderThanTheBound_ofTheIncarnationThatIsKnown_withOwnWrites() throws Exception {
        checkOutages(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3})
    void furtherOutages_leaveTheSame(long seed) throws Exception {
        checkOutages(seed);
    }

    private void checkOutages(long seed) throws Exception {
        Random random = new Random(seed);
        for (int outage = 0; outage < OUTAGES; outage++) {
            workFor(Duration.ofMillis(1_200), random, seed);
            if (random.nextBoolean()) {
                replication.set(random.nextBoolean() ? NetworkFault.FREEZE : NetworkFault.DELAY);
                workFor(Duration.ofMillis(random.nextInt(400)), random, seed);
            }
            boolean isStopped = random.nextInt(3) == 0;
            if (isStopped) {
                primary.suspend();
            } else {
                if (random.nextBoolean()) {
                    Resp.run(primary.port(), "SAVE");
                }
                primary.kill();
            }
            workFor(Duration.ofSeconds(3), random, seed);
            clear();
            workFor(Duration.ofMillis(500), random, seed);
            if (isStopped) {
                primary.resume();
            } else {
                primary.restart();
            }
            replication.set(NetworkFault.NONE);
            Awaitility.await().atMost(LONG).until(this::areHealthy);
            incarnation += isStopped ? 0 : 1; // from here on this process knows of it
            awaitFollowing();
        }

        assertThat(answered()).as("entries that the replica has answered").isGreaterThan(50);
    }

    private void workFor(Duration time, Random random, long seed) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            int number = random.nextInt(KEYS);
            int kind = random.nextInt(100);
            if (kind < 3) {
                write(writer, "other:" + number);
            } else if (kind < 5) {
                write(reader, "own:" + number);
            } else if (kind < 80) {
                String key = (kind % 2 == 0 ? "own:" : "other:") + number;
                long begun = System.nanoTime();
                check(key, reader.get(key), begun, seed);
            } else {
                Set<String> keys = Set.of("own:" + number, "other:" + number);
                long begun = System.nanoTime();
                Map<String, Long> found = reader.getAll(keys);
                keys.forEach(key -> check(key, found.get(key), begun, seed));
            }
        }
    }

    private void write(Cache<String, Long> cache, String key) {
        List<Version> before = versions.computeIfAbsent(key, first -> new ArrayList<>());
        long acknowledged;
        try {
            cache.put(key, before.size() + 1L);
            acknowledged = System.nanoTime();
        } catch (KeyslotException e) {
            acknowledged = 0;
        }
        before.add(new Version(incarnation, acknowledged));
    }

    /** As a cache of Spring does: it goes on where the partition is missing. */
    private void clear() {
        reader.unwrap(FailSafeCalls.class).clear();
        versions.forEach((key, known) -> cleared.put(key, known.size()));
    }

    private void check(String key, Long found, long begun, long seed) {
        if (found == null) {
            return; // a cache may have nothing
        }
        List<Version> known = versions.get(key);
        String about = "seed %d: %s is %d of %d, in life %d".formatted(seed, key, found, known.size(), incarnation);
        List<Version> later = known.subList(found.intValue(), known.size());

        assertThat(known.get(found.intValue() - 1).incarnation()).as(about).isEqualTo(incarnation);
        if (known.get(found.intValue() - 1).isAcknowledged()) {
            assertThat(found.intValue()).as(about).isGreaterThan(cleared.getOrDefault(key, 0));
        }
        if (key.startsWith("own:")) {
            assertThat(later).as(about).noneMatch(Version::isAcknowledged);
        } else {
            assertThat(later)
                    .as(about)
                    .noneMatch(version ->
                            version.isAcknowledged() && begun - version.acknowledgedNanos() > BOUND.toNanos());
        }
    }
}

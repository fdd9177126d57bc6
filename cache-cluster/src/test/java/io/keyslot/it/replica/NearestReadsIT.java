// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.fault.FaultProxy;
import io.keyslot.it.fault.NetworkFault;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nearest server answers: the one in the zone of the client, and without zones the one that answers soonest. */
@Tag("thorough")
class NearestReadsIT {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final List<CacheManager> managers = new ArrayList<>();

    @TempDir
    private Path directory;

    private LocalServers servers;
    private LocalServer primary;
    private LocalServer first;
    private LocalServer second;

    @BeforeEach
    void start() throws IOException {
        servers = TestServers.none();
        primary = servers.start("--repl-diskless-sync-delay", "0");
        first = follower();
        second = follower();
    }

    @AfterEach
    void end() {
        managers.forEach(CacheManager::close);
        servers.close();
    }

    private LocalServer follower() throws IOException {
        LocalServer server = servers.start("--replicaof", "127.0.0.1 " + primary.port());
        Awaitility.await()
                .atMost(LONG)
                .until(() -> Resp.run(server.port(), "INFO", "replication").contains("master_link_status:up"));
        return server;
    }

    @SuppressWarnings("unchecked") // the cache that is made here
    private PartitionedCache<String, Long> open(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, Long.class).setReads(ReplicaReads.nearest(BOUND));
        CacheManager manager = KeyslotManagers.openPartitions("nearest-" + OPENED.incrementAndGet(), settings);
        managers.add(manager);
        return manager.createCache("versions", configuration).unwrap(PartitionedCache.class);
    }

    private static ReplicaState reads(PartitionedCache<String, Long> cache) {
        assertThat(cache.get("a")).isEqualTo(1L);
        return cache.explain("a").replica();
    }

    private static void awaitReadsOf(PartitionedCache<String, Long> cache, LocalServer server) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> server.uri().equals(reads(cache).replica())
                        && reads(cache).answer() == ReplicaAnswer.REPLICA);
    }

    @Test
    void serverInOurZone_isRead_andWithoutItTheNextOne() throws IOException {
        PartitionedCache<String, Long> inC = open(inZone("c"));
        PartitionedCache<String, Long> inA = open(inZone("a"));
        inC.put("a", 1L);

        awaitReadsOf(inC, second);
        Awaitility.await().atMost(LONG).until(() -> reads(inA).answer() == ReplicaAnswer.NEARER_PRIMARY);
        second.kill();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> !second.uri().equals(reads(inC).replica()));
    }

    private Map<String, Object> inZone(String zone) throws IOException {
        Path file = Files.createTempFile(directory, "keyslot", ".yaml");
        Files.writeString(file, """
                zone: ${ZONE}
                partitions:
                  p1:
                    uri: %s
                    zone: a
                    replicas: [{ uri: "%s", zone: b }, { uri: "%s", zone: c }]
                """.replace("${ZONE}", zone).formatted(primary.uri(), first.uri(), second.uri()));
        return Map.of("keyslot.config", file.toString());
    }

    /** The delay of the proxies is many times as long as an answer on this machine takes. */
    @Test
    void serverThatAnswersSoonest_isRead_andAnotherOneWhenItIsFartherAway() throws IOException {
        try (FaultProxy toPrimary = new FaultProxy(primary.port());
                FaultProxy toFirst = new FaultProxy(first.port());
                FaultProxy toSecond = new FaultProxy(second.port())) {
            PartitionedCache<String, Long> cache = open(Map.of(
                    "keyslot.partitions.p1.uri",
                    toPrimary.uri(),
                    "keyslot.partitions.p1.replicas",
                    toFirst.uri() + "," + toSecond.uri()));
            cache.put("a", 1L);
            toPrimary.set(NetworkFault.DELAY);
            toFirst.set(NetworkFault.DELAY);
            awaitAddress(cache, toSecond);

            toFirst.set(NetworkFault.NONE);
            toSecond.set(NetworkFault.DELAY);

            awaitAddress(cache, toFirst);
        }
    }

    private static void awaitAddress(PartitionedCache<String, Long> cache, FaultProxy proxy) {
        Awaitility.await().atMost(LONG).until(() -> {
            cache.get("a");
            ReplicaState state = cache.explain("a").replica();
            return state != null
                    && state.answer() == ReplicaAnswer.REPLICA
                    && proxy.uri().equals(state.replica());
        });
    }
}

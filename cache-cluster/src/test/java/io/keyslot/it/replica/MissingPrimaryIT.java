// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.cache.replica.ReplicaState;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.fault.Resp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.integration.CacheLoader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The primary is killed: a replica answers reads with a stated age, and nothing of another life. */
@Tag("thorough")
class MissingPrimaryIT {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Long LOADED = -1L;
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final List<CacheManager> managers = new ArrayList<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private LocalServers servers;
    private LocalServer primary;
    private LocalServer replica;
    private PartitionedCache<String, Long> cache;

    @BeforeEach
    void start() throws IOException {
        servers = LocalServers.create();
        primary = servers.start("--repl-diskless-sync-delay", "0");
        replica = servers.start("--replicaof", "127.0.0.1 " + primary.port());
        awaitFollowing();
        cache = open("reader", true);
    }

    @AfterEach
    void end() {
        managers.forEach(CacheManager::close);
        servers.close();
    }

    private void awaitFollowing() {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> Resp.run(replica.port(), "INFO", "replication").contains("master_link_status:up"));
    }

    @SuppressWarnings("unchecked") // the cache that was made two lines before
    private PartitionedCache<String, Long> open(String process, boolean isReader) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("keyslot.partitions.p1.uri", primary.uri());
        PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
        configuration.setTypes(String.class, Long.class);
        if (isReader) {
            settings.put("keyslot.partitions.p1.replicas", replica.uri());
            settings.put("keyslot.meterRegistry", registry);
            configuration
                    .setReplicaReads(ReplicaReads.onlyWhenMissing(BOUND))
                    .setMissingPartitionWritePolicy(MissingPartitionWritePolicy.JOURNAL)
                    .setReadThrough(true)
                    .setCacheLoaderFactory(Counting::new);
        }
        CacheManager manager = KeyslotManagers.openPartitions(process + "-" + OPENED.incrementAndGet(), settings);
        managers.add(manager);
        return manager.createCache("versions", configuration).unwrap(PartitionedCache.class);
    }

    /** The database: it has another value than the cache, so that one sees who has answered. */
    private static final class Counting implements CacheLoader<String, Long> {
        @Override
        public Long load(String key) {
            return LOADED;
        }

        @Override
        public Map<String, Long> loadAll(Iterable<? extends String> keys) {
            Map<String, Long> all = new HashMap<>();
            keys.forEach(key -> all.put(key, LOADED));
            return all;
        }
    }

    private ReplicaState reads(String key) {
        return cache.explain(key).replica();
    }

    /** Reads until the replica has what was written before. */
    private void awaitFollowed() {
        Awaitility.await().atMost(LONG).until(() -> {
            cache.get("other");
            return replicaHasNew();
        });
    }

    private boolean replicaHasNew() {
        Double age = registry.find("keyslot.replica.age").timeGauge() == null
                ? Double.NaN
                : registry.get("keyslot.replica.age").timeGauge().value(TimeUnit.MILLISECONDS);
        return age < 400;
    }

    private void awaitMissing() {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> state() == PartitionState.MISSING || state() == PartitionState.PROBING);
    }

    private PartitionState state() {
        return ((PartitionedCacheManager) managers.get(0)).partitions().get(0).state();
    }

    private double answered() {
        return registry.get("keyslot.replica.reads")
                .tag("reason", "replica_while_missing")
                .counter()
                .count();
    }

    @Test
    void primaryThatIsKilled_readsGoOnAtTheReplica_withAStatedAge() throws Exception {
        Cache<String, Long> writer = open("writer", false);
        writer.put("a", 1L);
        writer.put("b", 2L);
        cache.put("own", 3L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("own") == 3L && replicaHasNew());
        primary.kill();
        long killed = System.nanoTime();
        awaitMissing();

        assertThat(cache.get("a")).isEqualTo(1L);
        assertThat(cache.getAll(Set.of("a", "b", "own", "nowhere")))
                .containsEntry("a", 1L)
                .containsEntry("b", 2L)
                .containsEntry("own", 3L)
                .containsEntry("nowhere", LOADED);
        ReplicaState told = reads("a");
        Duration sinceKill = Duration.ofNanos(System.nanoTime() - killed);
        assertThat(told.answer()).isEqualTo(ReplicaAnswer.REPLICA_WHILE_MISSING);
        assertThat(told.replica()).isEqualTo(replica.uri());
        assertThat(told.age()).isBetween(sinceKill.minusMillis(1), BOUND);
        assertThat(answered()).isEqualTo(4);
        assertThat(registry.get("keyslot.replica.missing.age").timer().count()).isEqualTo(4);
    }

    @Test
    void ownWriteThatIsNotDone_isNotReadAsItWasBefore() {
        cache.put("a", 1L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("a") == 1L && replicaHasNew());
        primary.kill();
        awaitMissing();
        assertThat(cache.get("a")).isEqualTo(1L);

        cache.put("a", 2L); // into the journal

        assertThat(cache.get("a")).as("asked from the loader").isEqualTo(LOADED);
        assertThat(reads("a").answer()).isEqualTo(ReplicaAnswer.OWN_WRITE);
    }

    @Test
    void replicaThatIsPromoted_isNotRead() throws Exception {
        cache.put("a", 1L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("a") == 1L && replicaHasNew());
        primary.kill();
        awaitMissing();
        assertThat(cache.get("a")).isEqualTo(1L);

        Resp.run(replica.port(), "REPLICAOF", "NO", "ONE");

        assertThat(cache.get("a")).isEqualTo(LOADED);
        assertThat(reads("a").answer()).isEqualTo(ReplicaAnswer.OTHER_LIFE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void primaryThatComesBack_hasAnotherLife_andNothingOfTheOneBeforeIsRead(boolean isEmpty) throws Exception {
        cache.put("a", 1L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("a") == 1L && replicaHasNew());
        if (!isEmpty) {
            Resp.run(primary.port(), "SAVE");
        }
        primary.kill();
        awaitMissing();
        assertThat(cache.get("a")).isEqualTo(1L);

        primary.restart();
        Awaitility.await().atMost(LONG).until(() -> state() == PartitionState.HEALTHY);
        assertThat(cache.get("a")).isEqualTo(LOADED);
        primary.kill();
        awaitMissing();

        assertThat(cache.get("a")).as("not what the life before had").isEqualTo(LOADED);
    }

    @Test
    void primaryThatStandsStill_isReplacedOnceItIsMissing_andGoesOnInItsLife() {
        cache.put("a", 1L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("a") == 1L && replicaHasNew());
        primary.suspend();
        try {
            awaitMissing();

            assertThat(cache.get("a")).isEqualTo(1L);
            assertThat(reads("a").answer()).isEqualTo(ReplicaAnswer.REPLICA_WHILE_MISSING);
        } finally {
            primary.resume();
        }

        Awaitility.await().atMost(LONG).until(() -> state() == PartitionState.HEALTHY);
        assertThat(cache.get("a")).isEqualTo(1L);
        assertThat(reads("a").answer()).isEqualTo(ReplicaAnswer.PREFERRED_PRIMARY);
    }

    @Test
    void replicaThatMayNotSayItsRole_isNotRead() throws Exception {
        cache.put("a", 1L);
        awaitFollowed();
        Awaitility.await().atMost(LONG).until(() -> cache.get("a") == 1L && replicaHasNew());
        Resp.run(replica.port(), "ACL", "SETUSER", "default", "-role");
        primary.kill();
        awaitMissing();

        assertThat(cache.get("a")).isEqualTo(LOADED);
        assertThat(reads("a").answer()).isEqualTo(ReplicaAnswer.NO_ANSWER);
    }
}

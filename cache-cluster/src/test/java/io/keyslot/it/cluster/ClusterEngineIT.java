// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.queue.PartitionedQueue;
import io.keyslot.cache.queue.QueueMessage;
import io.keyslot.cache.queue.SendOptions;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an application sees of a cluster: the same as of instances. */
@SuppressWarnings("NullAway.Init") // the cluster is set before all tests
@SideBySide
class ClusterEngineIT {

    @AutoClose
    private static LocalCluster cluster;

    private CacheManager manager;

    @BeforeAll
    static void start() {
        cluster = LocalCluster.start(3, 0);
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }

    private Cache<Integer, String> open(Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("keyslot.engine", "cluster");
        manager = KeyslotManagers.openPatiently(
                "cluster-engine", List.of(cluster.uris().get(0)), all);
        return manager.createCache(
                "customer", new MutableConfiguration<Integer, String>().setTypes(Integer.class, String.class));
    }

    @Test
    void largeValue_inParts_comesBackWhole() {
        Cache<Integer, String> cache = open(Map.of());
        String large = "x".repeat(3_000_000);

        cache.put(1, large);
        cache.putAll(Map.of(2, large, 3, "small"));

        assertThat(cache.get(1)).isEqualTo(large);
        assertThat(cache.getAll(Set.of(1, 2, 3))).containsEntry(2, large).containsEntry(3, "small");
        assertThat(cache.getAndRemove(2)).isEqualTo(large);
    }

    @Test
    void serverThatRunsAlone_isRefusedByName() {
        try (LocalServers servers = TestServers.none()) {
            LocalServer alone = servers.start();

            assertThatThrownBy(() -> KeyslotManagers.openPatiently(
                            "no-cluster", List.of(alone.uri()), Map.of("keyslot.engine", "cluster")))
                    .isInstanceOf(CacheException.class)
                    .hasMessageContaining("not in cluster mode")
                    .hasMessageContaining("engine: instances");
        }
    }

    @Test
    void nodeOfACluster_asAnInstance_saysWhichEngine() {
        assertThatThrownBy(() -> KeyslotManagers.openPatiently(
                        "no-instance", List.of(cluster.uris().get(0)), Map.of()))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("engine: cluster");
    }

    @Test
    void queue_hasItsFragmentsOnAllNodes() {
        Cache<Integer, String> unused = open(Map.of());
        PartitionedQueue<Integer> queue =
                manager.unwrap(PartitionedCacheManager.class).queue("numbers", Integer.class);
        IntStream.range(0, 50).forEach(queue::send);
        IntStream.range(0, 50).forEach(i -> queue.send(i, SendOptions.inSession("s")));
        List<Integer> ofSession = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            QueueMessage<Integer> message =
                    queue.receive(Duration.ofSeconds(10)).orElseThrow();
            message.session().ifPresent(session -> ofSession.add(message.value()));
            assertThat(message.complete()).isTrue();
        }
        assertThat(ofSession).isEqualTo(IntStream.range(0, 50).boxed().toList());
        assertThat(queue.receive(Duration.ZERO)).isEmpty();
    }
}

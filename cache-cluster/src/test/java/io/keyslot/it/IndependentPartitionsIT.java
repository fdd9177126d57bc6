// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight of nine servers accept connections and never say a word. */
@Tag("thorough")
class IndependentPartitionsIT {
    private static final int HANGING = 8;
    private static final Duration SOON = Duration.ofMillis(1_500);

    private final Ticker ticker = new SystemTicker();

    @Test
    void partitionsThatHang_keepNoOtherOneAway() throws Exception {
        List<ServerSocket> hanging = new ArrayList<>();
        try (LocalServers local = TestServers.none()) {
            List<LocalServer> servers = local.start(2);
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < HANGING; i++) {
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                hanging.add(silent);
                addresses.add("redis://127.0.0.1:" + silent.getLocalPort());
            }
            addresses.add(servers.get(0).uri());
            Map<String, String> settings = Map.of("keyslot.startup.wait", "1s", "keyslot.deadlines.connect", "10s");
            try (CacheManager manager = KeyslotManagers.open("hanging", addresses, settings)) {
                assertThat(stateOfLast(manager)).isEqualTo(PartitionState.HEALTHY);
                UpToThreeRuns.of(
                        () -> loseAndBringBack(servers.get(0), manager),
                        back -> assertThat(back).as("back after the restart").isLessThan(SOON.plusSeconds(2)));
                UpToThreeRuns.of(
                        () -> startAndClose(servers.get(1)),
                        started -> assertThat(started)
                                .as("another manager started and closed")
                                .isLessThan(SOON));
            }
        } finally {
            for (ServerSocket silent : hanging) {
                silent.close();
            }
        }
    }

    private Duration loseAndBringBack(LocalServer server, CacheManager manager) {
        long lost = ticker.nanos();
        server.kill();
        await().until(() -> stateOfLast(manager) != PartitionState.HEALTHY);
        server.restart();
        await().until(() -> stateOfLast(manager) == PartitionState.HEALTHY);
        return Duration.ofNanos(ticker.nanos() - lost);
    }

    private Duration startAndClose(LocalServer server) {
        long start = ticker.nanos();
        try (CacheManager other = KeyslotManagers.open("well", List.of(server.uri()), Map.of())) {
            assertThat(stateOfLast(other)).isEqualTo(PartitionState.HEALTHY);
        }
        return Duration.ofNanos(ticker.nanos() - start);
    }

    private static PartitionState stateOfLast(CacheManager manager) {
        List<PartitionStatus> statuses =
                manager.unwrap(PartitionedCacheManager.class).partitions();
        return statuses.get(statuses.size() - 1).state();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses that lead to something else than a primary of ours: what is said, and whether it stops the start. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
class OtherServersIT {
    private static final String BEFORE_THE_FIRST_ATTEMPT = "not connected yet";

    private static final Map<String, String> QUICK =
            Map.of("keyslot.startup.wait", "5s", "keyslot.deadlines.connect", "1s");

    @AutoClose
    private static LocalServers servers;

    private static LocalServer primary;

    private final Ticker ticker = new SystemTicker();

    @BeforeAll
    static void startServers() {
        servers = TestServers.none();
        primary = servers.start();
    }

    @Test
    void sentinel_stopsTheStart(@TempDir Path directory) throws Exception {
        Path configuration = Files.writeString(
                directory.resolve("sentinel.conf"), "sentinel monitor main 127.0.0.1 %d 1%n".formatted(primary.port()));
        LocalServer sentinel = servers.start(configuration.toString(), "--sentinel");

        assertThat(refusal(sentinel.uri())).contains("the port of a sentinel", "name the primary");
    }

    @Test
    void databaseThatIsNotThere_stopsTheStart() {
        assertThat(refusal(primary.uri() + "/99")).contains("no database of this number", "databases");
    }

    @Test
    void replica_isMissingAndNotRefused() {
        LocalServer replica = servers.start("--replicaof", "127.0.0.1 " + primary.port());

        assertThat(problem(replica.uri())).contains("has the role 'slave'", "name the primary");
    }

    @Test
    void portThatIsMute_isMissingAfterTheConnectDeadline() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(problem("redis://127.0.0.1:" + mute.getLocalPort()))
                    .contains("no answer to the greeting within 1000 ms");
        }
    }

    @Test
    void nameThatIsNotKnown_isMissingAndNamedWithinTheConnectDeadline() {
        long start = ticker.nanos();

        assertThat(problem("redis://no-such-host.invalid:6379"))
                .containsAnyOf("the name of the host is not known here", "the name of its host is not found")
                .doesNotContain("redis://");
        assertThat(Duration.ofNanos(ticker.nanos() - start)).isLessThan(Duration.ofSeconds(9));
    }

    /** Returns why a start is refused. */
    private static String refusal(String uri) {
        CacheException thrown = catchThrowableOfType(
                CacheException.class,
                () -> KeyslotManagers.openPatiently("other", List.of(uri)).close());
        assertThat(thrown).isNotNull().hasMessageContaining(uri);
        return String.valueOf(thrown.getMessage());
    }

    /** Returns why the only partition is missing, after a start that goes on without it and a first attempt of its own. */
    private static String problem(String uri) {
        try (CacheManager manager = KeyslotManagers.open("other", List.of(uri), QUICK)) {
            PartitionedCacheManager partitioned = manager.unwrap(PartitionedCacheManager.class);
            await().until(() -> !BEFORE_THE_FIRST_ATTEMPT.equals(
                    partitioned.partitions().get(0).problem()));
            PartitionStatus status = partitioned.partitions().get(0);
            assertThat(status.address()).isEqualTo(uri);
            return String.valueOf(status.problem());
        }
    }
}

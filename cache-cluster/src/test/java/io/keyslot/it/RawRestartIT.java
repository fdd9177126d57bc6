// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that comes back with what it had saved: raw values have no header that says of which life of it they are. */
@Tag("thorough")
@SideBySide
class RawRestartIT {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Test
    void savedRawValues_areServedAfterARestart_thoseWithAHeaderAreNot() {
        try (LocalServers servers = TestServers.none()) {
            LocalServer server = servers.start("--appendonly", "yes", "--appendfsync", "always");
            try (CacheManager manager = KeyslotManagers.openPatiently("saved", List.of(server.uri()))) {
                Cache<String, String> raw = manager.createCache("price", texts().setLayout(ValueLayout.RAW));
                Cache<String, String> enveloped = manager.createCache("customer", texts());
                raw.put("1", "ours");
                raw.put("2", "ours");
                enveloped.put("1", "Ada");

                server.kill();
                server.restart();
                String set = foreignSets(server, "price:2", "theirs");

                assertThat(set).isEqualTo("OK");
                await().atMost(LONGEST)
                        .untilAsserted(() -> assertThat(raw.get("1")).isEqualTo("ours"));
                assertThat(raw.get("2")).isEqualTo("theirs");
                assertThat(enveloped.get("1"))
                        .as("of another life of the server")
                        .isNull();
                assertThat(raw.replace("1", "ours", "newer")).isTrue();
                assertThat(raw.remove("2", "theirs")).isTrue();
            }
        }
    }

    private static PartitionedConfiguration<String, String> texts() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private static String foreignSets(LocalServer server, String key, String value) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().set(key, value);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What an application is told when it, its configuration or a server is wrong. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class BadInputIT {
    private static final String SECRET = "s3cret-in-a-key-or-a-value";

    @AutoClose
    private static TestServers servers;

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(3);
    }

    @Nested
    class OfACall {
        @Test
        @SuppressWarnings({"unchecked", "rawtypes"})
        void wrongType_isAClassCastExceptionWithBothTypes() {
            try (CacheManager manager = KeyslotManagers.openPatiently("wrong-type", servers.uris())) {
                Cache cache = strings(manager);
                assertThatThrownBy(() -> cache.put("k", 1))
                        .isInstanceOf(ClassCastException.class)
                        .hasMessageContainingAll("strings", "java.lang.String", "java.lang.Integer");
            }
        }

        @Test
        void closedCache_isAnIllegalStateThatNamesTheCache() {
            try (CacheManager manager = KeyslotManagers.openPatiently("closed", servers.uris())) {
                Cache<String, String> cache = strings(manager);
                cache.close();
                assertThatThrownBy(() -> cache.get("k"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("strings");
            }
        }

        @Test
        void keyOverTheLimit_isRefusedWithLimitAndSize() {
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "long-key", servers.uris(), Map.of("keyslot.limits.keyBytes", "64"))) {
                Cache<String, String> cache = strings(manager);
                String key = SECRET + "x".repeat(100);
                assertThatThrownBy(() -> cache.put(key, "v"))
                        .isInstanceOf(LimitExceededException.class)
                        .hasMessageContainingAll("64", "strings")
                        .message()
                        .doesNotContain(SECRET);
            }
        }

        @Test
        void valueOverTheLimit_isRefusedWithLimitAndSizeAndNothingIsStored() {
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "large-value", servers.uris(), Map.of("keyslot.limits.valueBytes", "1KiB"))) {
                Cache<String, String> cache = strings(manager);
                assertThatThrownBy(() -> cache.put("k", SECRET + "x".repeat(2_000)))
                        .isInstanceOf(LimitExceededException.class)
                        .hasMessageContaining("strings")
                        .message()
                        .containsAnyOf("1024", "1,024", "1 KiB", "1KiB")
                        .doesNotContain(SECRET);
                assertThat(cache.containsKey("k")).isFalse();
            }
        }

        @Test
        void batchOverTheLimit_isRefusedAndNothingIsStored() {
            try (CacheManager manager =
                    KeyslotManagers.openPatiently("batch", servers.uris(), Map.of("keyslot.limits.batchKeys", "10"))) {
                Cache<String, String> cache = strings(manager);
                Map<String, String> batch =
                        IntStream.range(0, 11).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
                for (Runnable call : List.<Runnable>of(
                        () -> cache.putAll(batch),
                        () -> cache.getAll(batch.keySet()),
                        () -> cache.removeAll(batch.keySet()))) {
                    assertThatThrownBy(call::run)
                            .isInstanceOf(LimitExceededException.class)
                            .hasMessageContainingAll("10", "11", "strings");
                }
                assertThat(cache).isEmpty();
            }
        }

        @Test
        void valueOfAClassThatIsNotAllowed_tellsTheLineToAdd() {
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "not-allowed", servers.uris(), Map.of("keyslot.codec.allow", "com.example.Other"))) {
                Cache<String, Object> cache = manager.createCache("objects", new MutableConfiguration<>());
                assertThatThrownBy(() -> cache.put("k", new Secret(SECRET)))
                        .isInstanceOf(CodecException.class)
                        .hasMessageContainingAll("objects", "allow", Secret.class.getName())
                        .message()
                        .doesNotContain(SECRET);
                assertThat(cache.containsKey("k")).isFalse();
            }
        }
    }

    @Nested
    class OfAConfiguration {
        @Test
        void unknownSetting_stopsTheStartAndNamesTheLikelyOne() {
            assertThatThrownBy(() -> KeyslotManagers.openPatiently(
                            "unknown", servers.uris(), Map.of("keyslot.deadlines.cal", "1s")))
                    .isInstanceOf(CacheException.class)
                    .hasMessageContainingAll("deadlines.cal", "did you mean", "call");
        }

        @Test
        void twoMapsForTheSameServers_areRefusedAndBothAreNamed() {
            try (CacheManager manager = KeyslotManagers.openPatiently("map-one", servers.uris())) {
                strings(manager).put("k", "v");
                List<String> reversed = List.of(servers.uri(2), servers.uri(1), servers.uri(0));
                assertThatThrownBy(() -> KeyslotManagers.openPatiently("map-two", reversed))
                        .isInstanceOf(CacheException.class)
                        .hasMessageContainingAll("p1", "p3");
            }
        }

        @Test
        void wrongPassword_stopsTheStartWithoutTellingIt() throws Exception {
            try (TestServers locked = TestServers.start(1, "--requirepass", "right")) {
                String address = locked.uri(0).replace("redis://", "redis://:" + SECRET + "@");
                assertThatThrownBy(() -> KeyslotManagers.openPatiently("password", List.of(address)))
                        .isInstanceOf(CacheException.class)
                        .hasMessageContaining(Integer.toString(locked.ports().get(0)))
                        .message()
                        .doesNotContain(SECRET);
            }
        }

        @Test
        void addressWhereNobodyListens_startsWithoutThatPartitionAndSaysSo() throws Exception {
            try (TestServers two = TestServers.start(2);
                    CacheManager manager = KeyslotManagers.openPatiently(
                            "unreachable", List.of(two.uri(0), two.uri(1), "redis://127.0.0.1:" + unusedPort()))) {
                List<PartitionStatus> partitions =
                        manager.unwrap(PartitionedCacheManager.class).partitions();
                assertThat(partitions.get(0).state()).isEqualTo(PartitionState.HEALTHY);
                PartitionStatus missing = partitions.get(2);
                assertThat(missing.state()).isIn(PartitionState.MISSING, PartitionState.PROBING);
                assertThat(missing.problem()).isNotEmpty();

                Cache<String, String> cache = manager.createCache("degraded", new MutableConfiguration<>());
                int served = 0;
                for (int i = 0; i < 100; i++) {
                    served += putSucceeds(cache, "k" + i) ? 1 : 0;
                }
                assertThat(served)
                        .as("keys of the two partitions that are there")
                        .isBetween(40, 90);
            }
        }
    }

    @Nested
    class InAServer {
        @Test
        void corruptedBytes_areAMissAndCounted() {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "corrupted", servers.uris(), Map.of("keyslot.meterRegistry", meters))) {
                Cache<String, String> cache = manager.createCache(
                        "corrupted", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
                cache.put("k", "v");
                assertThat(overwrite("corrupted:k"))
                        .as("servers that have the entry")
                        .isEqualTo(1);

                assertThat(cache.get("k")).isNull();
                assertThat(cache.getAll(Set.of("k"))).isEmpty();
                assertThat(cache.containsKey("k")).isFalse();
                double counted = meters.get("keyslot.entries.unreadable").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum();
                assertThat(counted).isEqualTo(3);

                cache.put("k", "w");
                assertThat(cache.get("k")).isEqualTo("w");
            }
        }

        /** Puts bytes that are no entry under the key, on the server that has one. Returns how many had. */
        private int overwrite(String key) {
            int found = 0;
            for (String address : servers.uris()) {
                RedisClient client = RedisClient.create(address);
                try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
                    byte[] name = key.getBytes(StandardCharsets.UTF_8);
                    if (connection.sync().exists(name) == 1) {
                        connection
                                .sync()
                                .set(name, "no entry at all, and long enough for one".getBytes(StandardCharsets.UTF_8));
                        found++;
                    }
                } finally {
                    client.shutdown();
                }
            }
            return found;
        }
    }

    private static Cache<String, String> strings(CacheManager manager) {
        Cache<String, String> cache = manager.createCache(
                "strings", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
        cache.clear();
        return cache;
    }

    private static boolean putSucceeds(Cache<String, String> cache, String key) {
        try {
            cache.put(key, "v");
            return true;
        } catch (PartitionUnavailableException e) {
            assertThat(e).hasMessageContaining("p3");
            return false;
        }
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    record Secret(String text) implements Serializable {}
}

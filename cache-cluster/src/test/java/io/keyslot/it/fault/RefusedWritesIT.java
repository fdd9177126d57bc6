// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that executes reads and refuses writes, the deletion of what is out of date among them. */
@SuppressWarnings("NullAway.Init") // set before each test
class RefusedWritesIT {
    private static final Duration ACCEPTED_WITHIN = Duration.ofSeconds(10);

    private TestServers servers;
    private CacheManager manager;

    @BeforeEach
    void open() {
        servers = TestServers.start(1, Refusal.SERVER_ARGUMENTS);
        manager = KeyslotManagers.openPatiently("refused", servers.uris());
    }

    @AfterEach
    void close() throws Exception {
        manager.close();
        servers.close();
    }

    private Cache<String, String> texts(String name, MissingPartitionWritePolicy writes) {
        return manager.createCache(
                name,
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setMissingPartitionPolicy(MissingPartitionPolicy.MISS)
                        .setMissingPartitionWritePolicy(writes));
    }

    @ParameterizedTest
    @EnumSource
    void journaledWrites_areSeenByWhoMadeThem(Refusal cause) throws Exception {
        Cache<String, String> cache = texts("journaled", MissingPartitionWritePolicy.JOURNAL);
        cache.putAll(Map.of("put", "old", "putAll", "old", "remove", "old", "removeAll", "old", "other", "other"));
        try (Resp admin = new Resp(servers.ports().get(0))) {
            cause.begin(admin);

            cache.put("put", "new");
            cache.putAll(Map.of("putAll", "new"));
            cache.remove("remove");
            cache.removeAll(Set.of("removeAll"));

            for (int round = 0; round < 50; round++) {
                assertOldIsNotServed(cache);
            }
            cause.end(admin);
            await("writes are accepted")
                    .ignoreExceptions()
                    .atMost(ACCEPTED_WITHIN)
                    .untilAsserted(() -> {
                        assertOldIsNotServed(cache);
                        cache.put("put", "newest");
                        assertThat(cache.get("put")).isEqualTo("newest");
                        assertThat(cache.putIfAbsent("remove", "again")).isTrue();
                    });
            assertThat(cache.get("remove")).isEqualTo("again");
        }
    }

    private static void assertOldIsNotServed(Cache<String, String> cache) {
        assertThat(cache.get("put")).isNotEqualTo("old");
        assertThat(cache.get("remove")).isNotEqualTo("old");
        assertThat(cache.getAll(Set.of("put", "putAll", "remove", "removeAll", "other"))
                        .values())
                .doesNotContain("old");
        List<String> iterated = new ArrayList<>();
        cache.forEach(entry -> iterated.add(entry.getValue()));
        assertThat(iterated).doesNotContain("old");
    }

    @ParameterizedTest
    @EnumSource
    void writeThatFails_leavesNothingOlderToWhoMadeIt(Refusal cause) throws Exception {
        Cache<String, String> cache = texts("failing", MissingPartitionWritePolicy.FAIL);
        cache.putAll(Map.of("put", "old", "putAll", "old", "replace", "old", "remove", "old", "removeAll", "old"));
        try (Resp admin = new Resp(servers.ports().get(0))) {
            cause.begin(admin);

            assertThatThrownBy(() -> cache.put("put", "new")).isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.putAll(Map.of("putAll", "new")))
                    .isInstanceOf(PartitionUnavailableException.class);
            assertThatThrownBy(() -> cache.replace("replace", "new")).isInstanceOf(PartitionUnavailableException.class);
            if (cause != Refusal.FULL_AND_NOT_ALLOWED_TO_DELETE) {
                assertThatThrownBy(() -> cache.remove("remove")).isInstanceOf(PartitionUnavailableException.class);
                assertThatThrownBy(() -> cache.removeAll(Set.of("removeAll")))
                        .isInstanceOf(PartitionUnavailableException.class);
            }

            Set<String> touched = cause == Refusal.FULL_AND_NOT_ALLOWED_TO_DELETE
                    ? Set.of("put", "putAll", "replace")
                    : Set.of("put", "putAll", "replace", "remove", "removeAll");
            for (int round = 0; round < 50; round++) {
                assertThat(cache.getAll(touched)).isEmpty();
                assertThat(cache.get("put")).isNull();
            }
            cause.end(admin);
            await("the deletions are done")
                    .ignoreExceptions()
                    .atMost(ACCEPTED_WITHIN)
                    .until(() -> !cache.containsKey("put"));
            // After READONLY because the server was a replica meanwhile: a new life, in which nothing is left.
            assertThat(cache.containsKey("replace")).isFalse();
        }
    }
}

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
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

    /** Not with NOPERM: what is refused for good is an error, and no missing partition. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOPERM")
    void journaledWrites_areSeenByWhoMadeThem(Refusal cause) throws Exception {
        Cache<String, String> cache = manager.createCache(
                "journaled",
                new PartitionedConfiguration<String, String>()
                        .setTypes(String.class, String.class)
                        .setMissingPartition(MissingPartitionPolicy.MISS)
                        .setMissingPartitionWrites(MissingPartitionWritePolicy.JOURNAL));
        cache.putAll(Map.of("put", "old", "putAll", "old", "remove", "old", "removeAll", "old", "other", "other"));
        try (Resp admin = new Resp(servers.ports().get(0))) {
            cause.begin(admin);

            cache.put("put", "new");
            cache.putAll(Map.of("putAll", "new"));
            if (cause == Refusal.FULL_AND_NOT_ALLOWED_TO_DELETE) {
                cache.putAll(Map.of("remove", "new", "removeAll", "new"));
            } else {
                cache.remove("remove");
                cache.removeAll(Set.of("removeAll"));
            }

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

    /** Calls that change an entry, each of the one that has its name. */
    private static Map<String, Consumer<Cache<String, String>>> changes() {
        Map<String, Consumer<Cache<String, String>>> changes = new LinkedHashMap<>();
        changes.put("put", cache -> cache.put("put", "new"));
        changes.put("putAll", cache -> cache.putAll(Map.of("putAll", "new")));
        changes.put("getAndPut", cache -> cache.getAndPut("getAndPut", "new"));
        changes.put("replace", cache -> cache.replace("replace", "new"));
        changes.put("replaceOld", cache -> cache.replace("replaceOld", "old", "new"));
        changes.put("getAndReplace", cache -> cache.getAndReplace("getAndReplace", "new"));
        changes.put(
                "invoke",
                cache -> cache.invoke("invoke", (entry, arguments) -> {
                    entry.setValue(entry.getValue() + "er");
                    return null;
                }));
        changes.put("remove", cache -> cache.remove("remove"));
        changes.put("removeOld", cache -> cache.remove("removeOld", "old"));
        changes.put("getAndRemove", cache -> cache.getAndRemove("getAndRemove"));
        changes.put("removeAll", cache -> cache.removeAll(Set.of("removeAll")));
        changes.put(
                "invokeRemove",
                cache -> cache.invoke("invokeRemove", (entry, arguments) -> {
                    entry.remove();
                    return null;
                }));
        return changes;
    }

    @ParameterizedTest
    @EnumSource
    void changeThatIsRefused_hasChangedNothing(Refusal cause) throws Exception {
        Cache<String, String> cache = manager.createCache(
                "failing", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
        Map<String, Consumer<Cache<String, String>>> changes = changes();
        if (cause == Refusal.FULL_AND_NOT_ALLOWED_TO_DELETE) {
            changes.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).contains("remove")); // GETDEL is allowed
        }
        changes.keySet().forEach(name -> cache.put(name, "old"));
        try (Resp admin = new Resp(servers.ports().get(0))) {
            cause.begin(admin);

            changes.forEach((name, change) -> assertThatThrownBy(() -> change.accept(cache))
                    .as(name)
                    .isInstanceOf(PartitionUnavailableException.class));

            // A server that has become a replica is not asked any more, and begins another life when it is none.
            if (cause != Refusal.READONLY) {
                assertOldIsServed(cache, changes.keySet());
            }
            cause.end(admin);
            await("writes are accepted")
                    .ignoreExceptions()
                    .atMost(ACCEPTED_WITHIN)
                    .until(() -> cache.putIfAbsent("another", "new"));
            if (cause != Refusal.READONLY) {
                assertOldIsServed(cache, changes.keySet());
            }
        }
    }

    private static void assertOldIsServed(Cache<String, String> cache, Set<String> names) {
        names.forEach(name -> assertThat(cache.get(name)).as(name).isEqualTo("old"));
        assertThat(cache.getAll(names).values()).hasSize(names.size()).containsOnly("old");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that has no time for us: what callers hear, and that nothing is executed later. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
class BusyServerIT {
    /** More than this many calls may not wait for the answers of one connection: {@code CommandWriter.MAX_IN_FLIGHT}. */
    private static final int BOUND = 4_096;

    /** A removal of many keys that are to be returned is a command for each, at most these at a time. */
    private static final int KEYS_AT_ONCE = 1_000;

    private LocalServers local;
    private LocalServer server;
    private CacheManager manager;

    @BeforeEach
    void start() {
        local = TestServers.none();
        server = local.start("--lua-time-limit", "50");
    }

    @AfterEach
    void end() {
        manager.close();
        local.close();
    }

    @SuppressWarnings("unchecked") // a cache of Keyslot
    private PartitionedCache<String, String> open(Map<String, String> settings) {
        manager = KeyslotManagers.openPatiently("busy", List.of(server.uri()), settings);
        return manager.createCache(
                        "texts", new MutableConfiguration<String, String>().setTypes(String.class, String.class))
                .unwrap(PartitionedCache.class);
    }

    @Test
    void scriptThatRunsForLong_isTold_andNothingIsExecutedAfterIt() throws Exception {
        PartitionedCache<String, String> cache =
                open(Map.of("keyslot.deadlines.call", "700ms", "keyslot.deadlines.command", "700ms"));
        CacheGroup group = manager.unwrap(PartitionedCacheManager.class).group(EntityKey.of("texts", "root"));
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("put", () -> cache.put("put", "late"));
        calls.put("getAndPut", () -> cache.getAndPut("getAndPut", "late"));
        calls.put("putIfAbsent", () -> cache.putIfAbsent("putIfAbsent", "late"));
        calls.put("putAll", () -> cache.putAll(Map.of("putAll", "late")));
        calls.put(
                "invoke",
                () -> cache.invoke("invoke", (entry, arguments) -> {
                    entry.setValue("late");
                    return true;
                }));
        calls.put("remove", () -> cache.remove("kept"));
        calls.put("getAndRemove", () -> cache.getAndRemove("kept"));
        calls.put("replace", () -> cache.replace("kept", "late"));
        calls.put("addAndGet", () -> group.counter("number").addAndGet(1));
        calls.put(
                "transact",
                () -> group.transactWithoutResult(
                        transaction -> transaction.counter("number").addAndGet(1)));
        cache.put("kept", "before");
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> script = client.connect();
                StatefulRedisConnection<String, String> other = client.connect()) {
            var running = script.async().eval("while true do end", ScriptOutputType.STATUS);
            await().until(() -> catchThrowable(() -> other.sync().ping()) != null);

            List<String> heard = new ArrayList<>();
            calls.forEach((name, call) -> heard.add(said(name, catchThrowable(call))));
            assertThat(heard).anySatisfy(message -> assertThat(message).contains("BUSY: the server runs a script"));
            assertThat(cache.get("kept"))
                    .as("a miss, as no partition could be asked")
                    .isNull();

            other.sync().scriptKill();
            assertThat(catchThrowable(running::get)).isNotNull();
        } finally {
            client.shutdown();
        }
        await().untilAsserted(() -> assertThat(cache.get("kept")).isEqualTo("before"));
        cache.put("last", "acknowledged"); // behind everything that was sent before
        assertThat(cache.getAll(Set.of("put", "getAndPut", "putIfAbsent", "putAll", "invoke")))
                .isEmpty();
        assertThat(group.counter("number").get()).isZero();
        assertThat(cache.get("kept")).isEqualTo("before");
    }

    /** Returns what it says: that it was not done, or, if the deadline came before the last answer, that there was none. */
    private String said(String name, @Nullable Throwable thrown) {
        assertThat(thrown)
                .as(name)
                .isInstanceOfAny(PartitionUnavailableException.class, OutcomeUnknownException.class)
                .hasMessageContaining("partition p1 at " + server.uri());
        String message = String.valueOf(thrown.getMessage());
        assertThat(message)
                .containsAnyOf(": " + name + " was not done", ": " + name + " got no", "no answer to " + name + ",");
        return message;
    }

    @Test
    void moreCallsThanMayWait_areRefusedAsOverloaded() {
        PartitionedCache<String, String> cache =
                open(Map.of("keyslot.deadlines.call", "20s", "keyslot.deadlines.command", "20s"));
        List<CompletableFuture<?>> calls = new ArrayList<>();
        int threads = BOUND / KEYS_AT_ONCE + 1;
        ExecutorService callers = Executors.newFixedThreadPool(threads + 1);
        try {
            cache.put("first", "answered");
            server.suspend();
            for (int i = 0; i < threads; i++) {
                Set<String> keys = IntStream.range(0, KEYS_AT_ONCE)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.toSet());
                calls.add(CompletableFuture.runAsync(() -> cache.removeAll(keys), callers));
            }

            await().untilAsserted(() -> {
                CompletableFuture<Throwable> put =
                        CompletableFuture.supplyAsync(() -> catchThrowable(() -> cache.put("k", "v")));
                assertThat(put)
                        .succeedsWithin(Duration.ofMillis(500))
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .isInstanceOf(CacheOverloadedException.class)
                        .hasMessageContainingAll(
                                "Cache texts: put was not done: partition p1 at " + server.uri(),
                                BOUND + " commands wait for its answers");
            });
        } finally {
            server.resume();
            for (CompletableFuture<?> call : calls) {
                Throwable unused = catchThrowable(call::join); // some are refused, too
            }
            callers.shutdown();
        }
        assertThat(cache.get("first")).isEqualTo("answered");
    }
}

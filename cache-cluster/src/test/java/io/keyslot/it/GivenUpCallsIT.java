// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupLock;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one caller gives up, or cannot finish, costs other applications at the same servers nothing. Default settings. */
@Tag("thorough")
class GivenUpCallsIT {
    private static final int ENTRIES = 200;
    private static final int GROUPS = 12;

    private static @Nullable LocalServers local;
    private static List<LocalServer> servers = List.of();
    private static @Nullable CacheManager ours;
    private static @Nullable CacheManager others;

    /** What a caller does: with a view that fails on nothing, as Spring uses it, and with the plain cache. */
    private static final Map<String, Call> CALLS = calls();

    private interface Call {
        void run(FailSafeCalls<String, Object> failSafe, Cache<String, Object> cache) throws Exception;
    }

    /** What comes between a caller and its call. */
    enum Interference {
        NONE,
        INTERRUPTED,
        CANCELLED,
        SERVER_PAUSED
    }

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("get", (failSafe, cache) -> failSafe.get("1"));
        calls.put("load", (failSafe, cache) -> failSafe.load("1", () -> "loaded"));
        calls.put("put", (failSafe, cache) -> failSafe.put("1", "new", null));
        calls.put("putIfAbsent", (failSafe, cache) -> failSafe.putIfAbsent("1", "new", null));
        calls.put("remove", (failSafe, cache) -> failSafe.remove("1"));
        calls.put("clear", (failSafe, cache) -> failSafe.clear());
        calls.put("Cache.get", (failSafe, cache) -> cache.get("1"));
        calls.put("Cache.getAll", (failSafe, cache) -> cache.getAll(keys()));
        calls.put("Cache.put", (failSafe, cache) -> cache.put("1", "new"));
        calls.put("Cache.putAll", (failSafe, cache) -> cache.putAll(entries("new")));
        calls.put("Cache.replace", (failSafe, cache) -> cache.replace("1", "new"));
        calls.put("Cache.getAndPut", (failSafe, cache) -> cache.getAndPut("1", "new"));
        calls.put("Cache.replace(old)", (failSafe, cache) -> cache.replace("1", "old", "new"));
        calls.put("Cache.getAndReplace", (failSafe, cache) -> cache.getAndReplace("1", "new"));
        calls.put("Cache.containsKey", (failSafe, cache) -> cache.containsKey("1"));
        calls.put("Cache.loadAll", (failSafe, cache) -> {
            CompletionListenerFuture loaded = new CompletionListenerFuture();
            cache.loadAll(keys(), true, loaded);
            loaded.get(10, TimeUnit.SECONDS);
        });
        calls.put("Cache.getAndRemove", (failSafe, cache) -> cache.getAndRemove("1"));
        calls.put("Cache.remove", (failSafe, cache) -> cache.remove("1"));
        calls.put("Cache.removeAll(keys)", (failSafe, cache) -> cache.removeAll(keys()));
        calls.put("Cache.removeAll", (failSafe, cache) -> cache.removeAll());
        calls.put("Cache.clear", (failSafe, cache) -> cache.clear());
        calls.put("Cache.iterator", (failSafe, cache) -> cache.forEach(entry -> {}));
        calls.put(
                "Cache.invoke",
                (failSafe, cache) -> cache.invoke("1", (entry, arguments) -> {
                    entry.setValue("new");
                    return null;
                }));
        calls.put(
                "Cache.invokeAll",
                (failSafe, cache) -> cache.invokeAll(keys(), (entry, arguments) -> {
                    entry.setValue("new");
                    return null;
                }));
        calls.put("async get", (failSafe, cache) -> finish(of(cache).getAsync("1")));
        calls.put("async putAll", (failSafe, cache) -> finish(of(cache).putAllAsync(entries("new"))));
        calls.put("async removeAll", (failSafe, cache) -> finish(of(cache).removeAllAsync()));
        calls.put("async clear", (failSafe, cache) -> finish(of(cache).clearAsync()));
        calls.put("lock", (failSafe, cache) -> {
            Optional<GroupLock.Held> lock = opened(ours)
                    .unwrap(PartitionedCacheManager.class)
                    .group(EntityKey.of("account", 1))
                    .lock()
                    .tryLock(Duration.ofSeconds(1), Duration.ofSeconds(1));
            lock.ifPresent(held -> {
                held.transactWithoutResult(
                        transaction -> transaction.counter("visits").addAndGet(1));
                held.close();
            });
        });
        return calls;
    }

    private static PartitionedCache<String, Object> of(Cache<String, Object> cache) {
        @SuppressWarnings("unchecked") // the view has the types of its cache
        PartitionedCache<String, Object> partitioned = cache.unwrap(PartitionedCache.class);
        return partitioned;
    }

    private static void finish(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static Set<String> keys() {
        return new LinkedHashSet<>(entries("").keySet());
    }

    private static Map<String, Object> entries(String value) {
        Map<String, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.put(String.valueOf(i), value);
        }
        return entries;
    }

    @BeforeAll
    static void open() {
        LocalServers started = TestServers.none();
        local = started;
        servers = started.start(3);
        List<String> addresses = servers.stream().map(LocalServer::uri).toList();
        ours = KeyslotManagers.open("given-up-ours", addresses, Map.of());
        CacheManager neighbor = KeyslotManagers.open("given-up-others", addresses, Map.of());
        others = neighbor;
        neighbor.createCache("orders", new PartitionedConfiguration<String, Object>())
                .putAll(entries("kept"));
        for (int i = 0; i < GROUPS; i++) {
            group(i).list("lines", String.class).addLast("kept");
        }
        ours.createCache("books", new PartitionedConfiguration<String, Object>());
    }

    @AfterAll
    static void close() {
        Stream.of(ours, others).filter(manager -> manager != null).forEach(CacheManager::close);
        if (local != null) {
            local.close();
        }
    }

    private static CacheGroup group(int id) {
        return opened(others).unwrap(PartitionedCacheManager.class).group(EntityKey.of("customer", id));
    }

    private static CacheManager opened(@Nullable CacheManager manager) {
        if (manager == null) {
            throw new IllegalStateException("not opened");
        }
        return manager;
    }

    static Stream<Arguments> cases() {
        return CALLS.keySet().stream()
                .flatMap(call -> Stream.of(Interference.values()).map(what -> Arguments.of(call, what)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void othersKeepWhatTheyHave(String name, Interference interference) throws Exception {
        Cache<String, Object> cache = opened(ours).getCache("books");
        @SuppressWarnings("unchecked") // the view has the types of its cache
        FailSafeCalls<String, Object> failSafe = cache.unwrap(FailSafeCalls.class);
        cache.putAll(entries("old"));
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            interfere(interference, executor, () -> {
                try {
                    CALLS.getOrDefault(name, (none, at) -> {}).run(failSafe, cache);
                } catch (CacheException | ExecutionException | InterruptedException e) {
                    // Told to this caller, and to this one only.
                }
                return null;
            });
        } finally {
            executor.shutdownNow();
        }
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

        if (name.equals("clear")) {
            assertThat(failSafe.get("1")).isNull();
            assertThat(cache.getAll(keys())).isEmpty();
        }
        assertNeighborHasEverything();
        await().untilAsserted(() -> {
            cache.putAll(entries("again"));
            assertThat(cache.getAll(keys())).hasSize(ENTRIES);
        });
    }

    private static void interfere(Interference interference, ExecutorService executor, Callable<?> call)
            throws Exception {
        switch (interference) {
            case NONE -> executor.submit(call).get();
            case INTERRUPTED ->
                executor.submit(() -> {
                            Thread.currentThread().interrupt();
                            return call.call();
                        })
                        .get();
            case CANCELLED -> {
                CountDownLatch begun = new CountDownLatch(1);
                Future<?> running = executor.submit(() -> {
                    begun.countDown(); // what is cancelled before is never called
                    return call.call();
                });
                begun.await();
                running.cancel(true);
            }
            case SERVER_PAUSED -> {
                LocalServer paused = servers.get(1);
                paused.suspend();
                try {
                    executor.submit(call).get();
                } finally {
                    paused.resume();
                }
            }
        }
    }

    private static void assertNeighborHasEverything() {
        Cache<String, Object> orders = opened(others).getCache("orders");
        List<String> lists = new ArrayList<>();
        await().untilAsserted(() -> {
            assertThat(orders.getAll(keys())).isEqualTo(entries("kept"));
            lists.clear();
            for (int i = 0; i < GROUPS; i++) {
                lists.addAll(group(i).list("lines", String.class).toList());
            }
            assertThat(lists).hasSize(GROUPS).containsOnly("kept");
        });
    }
}

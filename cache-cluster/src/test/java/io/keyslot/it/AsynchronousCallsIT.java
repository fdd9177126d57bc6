// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** Asynchronous calls of one command do not use a thread of the pool while they wait for a reply. */
class AsynchronousCallsIT {
    private static final int CALLS = 100;

    @Test
    void callsThatWaitForAPausedServer_leaveTheOnlyThreadToOthers() throws Exception {
        try (LocalServers local = TestServers.none()) {
            List<LocalServer> servers = local.start(2);
            List<String> addresses = servers.stream().map(LocalServer::uri).toList();
            // Nothing is given up while the test looks.
            Map<String, String> settings = Map.of(
                    "keyslot.async.threads", "1", "keyslot.deadlines.command", "60s", "keyslot.deadlines.call", "60s");
            try (CacheManager manager = KeyslotManagers.openPatiently("asynchronous", addresses, settings)) {
                PartitionedCache<Integer, String> cache = texts(manager);
                List<Integer> paused = keysOf(cache, "p1");
                int other = keysOf(cache, "p2").get(0);
                cache.put(other, "other");
                paused.forEach(key -> cache.put(key, "before"));
                List<CompletionStage<?>> waiting = new ArrayList<>();
                servers.get(0).suspend();
                try {
                    paused.forEach(key -> {
                        waiting.add(cache.getAsync(key));
                        waiting.add(cache.containsKeyAsync(key));
                        waiting.add(cache.getAllAsync(Set.of(key, other)));
                        waiting.add(cache.removeAsync(key));
                        waiting.add(cache.putAsync(key, "after"));
                        waiting.add(cache.putAllAsync(Map.of(key, "after", other, "other")));
                    });
                    for (int i = 0; i < CALLS; i++) {
                        assertThat(answer(cache.getAsync(other))).isEqualTo("other");
                    }
                    assertThat(waiting)
                            .noneMatch(stage -> stage.toCompletableFuture().isDone());
                } finally {
                    servers.get(0).resume();
                }
                for (CompletionStage<?> stage : waiting) {
                    Object unused = answer(stage);
                }
                assertThat(cache.getAll(new HashSet<>(paused)).values())
                        .hasSize(paused.size())
                        .containsOnly("after");
            }
        }
    }

    @Test
    void manyBatchesAtOnce_areNotTooManyForAConnection() throws Exception {
        try (LocalServers local = TestServers.none()) {
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "batches", List.of(local.start().uri()), Map.of())) {
                PartitionedCache<Integer, String> cache = texts(manager);
                List<CompletionStage<?>> waiting = new ArrayList<>();
                for (int i = 0; i < 2 * CALLS; i++) {
                    Map<Integer, String> batch = IntStream.range(i * CALLS, (i + 1) * CALLS)
                            .boxed()
                            .collect(Collectors.toMap(Function.identity(), String::valueOf));
                    waiting.add(cache.putAllAsync(batch, Duration.ofHours(1)));
                }
                for (CompletionStage<?> stage : waiting) {
                    Object unused = answer(stage);
                }
                assertThat(cache).hasSize(2 * CALLS * CALLS);
            }
        }
    }

    @SuppressWarnings("unchecked") // a cache of Keyslot
    private static PartitionedCache<Integer, String> texts(CacheManager manager) {
        return manager.createCache(
                        "texts", new MutableConfiguration<Integer, String>().setTypes(Integer.class, String.class))
                .unwrap(PartitionedCache.class);
    }

    private static List<Integer> keysOf(PartitionedCache<Integer, String> cache, String partition) {
        return IntStream.range(0, 10 * CALLS)
                .filter(key -> String.valueOf(cache.explain(key).partition()).equals(partition))
                .limit(CALLS)
                .boxed()
                .toList();
    }

    private static Object answer(CompletionStage<?> stage) throws Exception {
        CompletableFuture<?> future = stage.toCompletableFuture();
        return future.get(60, TimeUnit.SECONDS);
    }
}

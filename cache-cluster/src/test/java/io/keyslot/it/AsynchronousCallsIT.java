// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.ScanResult;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.processor.MutableEntry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Asynchronous calls do not use a thread of the pool while they wait for a reply. */
class AsynchronousCallsIT {
    private static final int CALLS = 100;
    private static final int OTHER = 0;
    private static final Comparator<Cache.Entry<Integer, String>> BY_KEY = Comparator.comparing(Cache.Entry::getKey);

    @Test
    void callsThatWaitForAPausedServer_leaveTheOnlyThreadToOthers() throws Exception {
        whileOneOfTwoIsPaused(
                (cache, key) -> List.of(
                        cache.getAsync(key),
                        cache.containsKeyAsync(key),
                        cache.getAllAsync(Set.of(key, OTHER)),
                        cache.removeAsync(key),
                        cache.removeAllAsync(Set.of(key)),
                        cache.putAsync(key, "after"),
                        cache.putAllAsync(Map.of(key, "after", OTHER, "other"))),
                cache -> cache.getAsync(OTHER),
                answers -> assertThat(answers).startsWith("before", true).endsWith("after"));
    }

    @Test
    void changesThatWaitForAPausedServer_leaveTheOnlyThreadToOthers() throws Exception {
        whileOneOfTwoIsPaused(
                (cache, key) -> List.of(
                        cache.putIfAbsentAsync(key, "unused"),
                        cache.replaceAsync(key, "1"),
                        cache.getAndPutAsync(key, "2"),
                        cache.getAndReplaceAsync(key, "3"),
                        cache.invokeAsync(key, AsynchronousCallsIT::append),
                        cache.invokeAllAsync(Set.of(key), AsynchronousCallsIT::append)
                                .thenApply(results ->
                                        Objects.requireNonNull(results.get(key)).get()),
                        cache.replaceAsync(key, "3++", "after"),
                        cache.removeAsync(key, "3+")),
                cache -> cache.invokeAsync(OTHER, AsynchronousCallsIT::append),
                answers -> assertThat(answers).containsExactly(false, true, "1", "2", "3", "3+", true, false, "after"));
    }

    @Test
    void callsAboutAllEntriesThatWaitForAPausedServer_leaveTheOnlyThreadToOthers() throws Exception {
        whileOneOfTwoIsPaused(
                (cache, key) -> List.of(
                        cache.scanAsync(entry -> entry.getKey().equals(key), 1, null)
                                .thenApply(ScanResult::missing),
                        cache.clearAsync().thenApply(done -> "cleared"),
                        cache.removeAllAsync().thenApply(done -> "removed")),
                cache -> cache.putAsync(OTHER, "other").thenApply(done -> "other"),
                answers -> assertThat(answers).containsExactly(Map.of(), "cleared", "removed", null));
    }

    @Test
    void callsAboutAllEntries_withOneOfTwoServersKilled_removeTheEntriesOfTheOther_andFailForIt() throws Exception {
        try (LocalServers local = TestServers.none()) {
            List<LocalServer> servers = local.start(2);
            try (CacheManager manager = KeyslotManagers.openPatiently(
                    "killed", servers.stream().map(LocalServer::uri).toList(), Map.of())) {
                PartitionedCache<Integer, String> cache = texts(manager);
                List<Integer> reached = keysOf(cache, "p2");
                reached.forEach(key -> cache.put(key, "before"));
                servers.get(0).kill();

                for (CompletionStage<?> stage : List.of(
                        cache.scanAsync(entry -> true, 1, BY_KEY), cache.clearAsync(), cache.removeAllAsync())) {
                    assertThat(stage)
                            .failsWithin(Duration.ofSeconds(20))
                            .withThrowableOfType(ExecutionException.class)
                            .withCauseInstanceOf(PartitionUnavailableException.class);
                }

                assertThat(cache.getAll(Set.copyOf(reached))).isEmpty();
            }
        }
    }

    private static String append(MutableEntry<Integer, String> entry, Object... arguments) {
        String before = entry.getValue();
        entry.setValue(before + "+");
        return before;
    }

    /**
     * Makes calls about entries of a server that is paused, and as many about one of the other server, which are
     * answered. Then checks the answers of the calls about each entry, and its last value.
     */
    private static void whileOneOfTwoIsPaused(
            BiFunction<PartitionedCache<Integer, String>, Integer, List<CompletionStage<?>>> calls,
            Function<PartitionedCache<Integer, String>, CompletionStage<?>> other,
            Consumer<List<Object>> check)
            throws Exception {
        try (LocalServers local = TestServers.none()) {
            List<LocalServer> servers = local.start(2);
            List<String> addresses = servers.stream().map(LocalServer::uri).toList();
            // Nothing is given up while the test looks.
            Map<String, String> settings = Map.of(
                    "keyslot.async.threads", "1", "keyslot.deadlines.command", "60s", "keyslot.deadlines.call", "60s");
            try (CacheManager manager = KeyslotManagers.openPatiently("asynchronous", addresses, settings)) {
                PartitionedCache<Integer, String> cache = texts(manager);
                int number = partitionOf(cache, OTHER).equals("p1") ? 2 : 1;
                LocalServer server = servers.get(number - 1);
                List<Integer> paused = keysOf(cache, "p" + number);
                cache.put(OTHER, "other");
                paused.forEach(key -> cache.put(key, "before"));
                List<List<CompletionStage<?>>> waiting = new ArrayList<>();
                server.suspend();
                try {
                    paused.forEach(key -> waiting.add(calls.apply(cache, key)));
                    for (int i = 0; i < CALLS; i++) {
                        assertThat(String.valueOf(answer(other.apply(cache)))).startsWith("other");
                    }
                    assertThat(waiting)
                            .allSatisfy(stages -> assertThat(stages)
                                    .noneMatch(
                                            stage -> stage.toCompletableFuture().isDone()));
                } finally {
                    server.resume();
                }
                for (int i = 0; i < paused.size(); i++) {
                    List<Object> answers = new ArrayList<>();
                    for (CompletionStage<?> stage : waiting.get(i)) {
                        answers.add(answer(stage));
                    }
                    answers.add(cache.get(paused.get(i)));
                    check.accept(answers);
                }
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

    @Test
    void putThatAFullConnectionRefuses_isJournaled() throws Exception {
        try (LocalServers local = TestServers.none()) {
            LocalServer server = local.start();
            Map<String, String> settings = Map.of("keyslot.deadlines.command", "60s", "keyslot.deadlines.call", "60s");
            try (CacheManager manager = KeyslotManagers.openPatiently("full", List.of(server.uri()), settings)) {
                PartitionedCache<Integer, String> cache = texts(manager);
                PartitionedCache<Integer, String> journaled =
                        texts(manager, "journaled", MissingPartitionWritePolicy.JOURNAL);
                List.of(1, 2).forEach(key -> journaled.put(key, "before"));
                Map<Integer, String> batch = IntStream.range(0, 10 * CALLS)
                        .boxed()
                        .collect(Collectors.toMap(Function.identity(), String::valueOf));
                List<CompletableFuture<?>> filling = new ArrayList<>();
                server.suspend();
                try {
                    for (int i = 0; i < 5; i++) {
                        filling.add(CompletableFuture.runAsync(
                                () -> cache.putAll(batch, Duration.ofHours(1)), task -> new Thread(task).start()));
                    }
                    Awaitility.await()
                            .until(() -> IntStream.range(0, 20)
                                    .mapToObj(i -> cache.putAsync(OTHER, "last"))
                                    .anyMatch(put -> put.toCompletableFuture().isCompletedExceptionally()));
                    answer(journaled.putAsync(1, "after"));
                    journaled.put(2, "after");
                } finally {
                    server.resume();
                }
                for (CompletableFuture<?> batchOfThread : filling) {
                    Object unused = answer(batchOfThread.handle((done, refused) -> done));
                }
                assertThat(journaled.getAll(Set.of(1, 2))).isEmpty();
            }
        }
    }

    @SuppressWarnings("unchecked") // a cache of Keyslot
    private static PartitionedCache<Integer, String> texts(
            CacheManager manager, String name, MissingPartitionWritePolicy policy) {
        return manager.createCache(
                        name,
                        new PartitionedConfiguration<Integer, String>()
                                .setTypes(Integer.class, String.class)
                                .setMissingPartitionWrites(policy))
                .unwrap(PartitionedCache.class);
    }

    private static PartitionedCache<Integer, String> texts(CacheManager manager) {
        return texts(manager, "texts", MissingPartitionWritePolicy.FAIL);
    }

    private static List<Integer> keysOf(PartitionedCache<Integer, String> cache, String partition) {
        return IntStream.range(0, 10 * CALLS)
                .filter(key -> key != OTHER && partitionOf(cache, key).equals(partition))
                .limit(CALLS)
                .boxed()
                .toList();
    }

    private static String partitionOf(PartitionedCache<Integer, String> cache, int key) {
        return String.valueOf(cache.explain(key).partition());
    }

    private static Object answer(CompletionStage<?> stage) throws Exception {
        CompletableFuture<?> future = stage.toCompletableFuture();
        return future.get(60, TimeUnit.SECONDS);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.LimitExceededException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The asynchronous forms of the operations, which JCache does not have. */
@SuppressWarnings("NullAway.Init") // set before each test
public abstract class AsynchronousFormConformance extends JCacheConformance {
    private static final Duration LONG = Duration.ofHours(1);

    private PartitionedCache<Object, Object> cache;

    @BeforeEach
    @SuppressWarnings("unchecked")
    void createCache() {
        cache = create(new MutableConfiguration<>()).unwrap(PartitionedCache.class);
    }

    @Test
    void asynchronousForms_doWhatTheirNamesakesDo() {
        assertThat(result(cache.putIfAbsentAsync("k", 1))).isTrue();
        assertThat(result(cache.getAndPutAsync("k", 2))).isEqualTo(1);
        assertThat(result(cache.replaceAsync("k", 2, 3))).isTrue();
        assertThat(result(cache.getAndReplaceAsync("k", 4))).isEqualTo(3);
        assertThat(result(cache.containsKeyAsync("k"))).isTrue();
        assertThat(result(cache.removeAsync("k", 3))).isFalse();
        assertThat(result(cache.getAndRemoveAsync("k"))).isEqualTo(4);
        result(cache.putAllAsync(Map.of("a", 1, "b", 2), LONG));
        assertThat(result(cache.getAllAsync(Set.of("a", "b", "c")))).isEqualTo(Map.of("a", 1, "b", 2));
        result(cache.removeAllAsync());
        assertThat(cache.iterator()).isExhausted();
    }

    @Test
    void continuationsThatWaitForOtherCalls_areAllDone() {
        cache.put("other", 1);
        List<CompletableFuture<Object>> chains = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int own = i;
            chains.add(cache.<Object>invokeAsync("k" + own, (entry, arguments) -> {
                        entry.setValue(own);
                        return own;
                    })
                    .thenApply(ignored ->
                            cache.getAsync("other").toCompletableFuture().join())
                    .thenCompose(ignored -> cache.getAsync("k" + own))
                    .toCompletableFuture());
        }

        for (int i = 0; i < chains.size(); i++) {
            assertThat(result(chains.get(i))).isEqualTo(i);
        }
    }

    @Test
    void valuesAndMaps_areTakenAtOnce() {
        List<CompletionStage<?>> stages = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<String> value = new ArrayList<>(List.of("before"));
            Map<Object, Object> map = new HashMap<>(Map.of("map" + i, value));
            stages.add(cache.putAsync("put" + i, value));
            stages.add(cache.putIfAbsentAsync("add" + i, value, LONG));
            stages.add(cache.putAllAsync(map));
            value.add("after");
            map.clear();
        }
        stages.forEach(AsynchronousFormConformance::result);

        assertThat(cache)
                .hasSize(600)
                .allSatisfy(entry -> assertThat(entry.getValue()).isEqualTo(List.of("before")));
    }

    @Test
    void failure_arrivesThroughTheStage() {
        CompletionStage<?> tooLong = cache.getAsync("k".repeat(9000));
        CompletionStage<?> noEncodedForm = cache.putAsync("k", Thread.currentThread());

        assertThat(tooLong.toCompletableFuture())
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LimitExceededException.class);
        assertThat(noEncodedForm.toCompletableFuture()).failsWithin(LONG);
    }

    @Test
    void nullAndClosedCache_areToldAtOnce() {
        assertThatThrownBy(() -> cache.putAsync("k", 1, nothing())).isInstanceOf(NullPointerException.class);
        cache.close();
        assertThatThrownBy(() -> cache.getAsync("k")).isInstanceOf(IllegalStateException.class);
    }

    @SuppressWarnings("NullAway") // what a caller without null checks does
    private static Duration nothing() {
        return null;
    }

    @Test
    void thousandsOfCallsAtOnce_areAllDone() {
        List<CompletionStage<?>> stages = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            stages.add(cache.putAsync(i, i));
        }
        stages.forEach(AsynchronousFormConformance::result);

        assertThat(cache.getAll(Set.of(0, 4999))).isEqualTo(Map.of(0, 0, 4999, 4999));
    }

    private static <T extends @Nullable Object> T result(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        return future.join();
    }
}

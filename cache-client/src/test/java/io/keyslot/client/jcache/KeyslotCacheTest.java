// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.PartitionedEntry;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.LimitExceededException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KeyslotCacheTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Embedded embedded = new Embedded("keyslot.async.threads", "1", "keyslot.async.queue", "1");
    private final PartitionedCache<String, String> cache = embedded.cache("customer");

    @AfterEach
    void close() {
        embedded.close();
    }

    private static <T extends @Nullable Object> T resultOf(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Nested
    class TimeToLive {
        private void assertLivesAnHour(String key) {
            assertThat(cache.explain(key).timeToLive()).isBetween(HOUR.minusMinutes(1), HOUR);
        }

        @Test
        void ofTheCall_goesBeforeTheCaches() {
            cache.put("a", "value", HOUR);
            cache.putAll(Map.of("b", "value"), HOUR);
            assertThat(cache.putIfAbsent("c", "value", HOUR)).isTrue();
            cache.put("d", "value");

            assertLivesAnHour("a");
            assertLivesAnHour("b");
            assertLivesAnHour("c");
            assertThat(cache.explain("d").timeToLive()).isNull();
        }

        @Test
        void putIfAbsent_leavesAnEntryAsItIs() {
            cache.put("a", "value");

            assertThat(cache.putIfAbsent("a", "other", HOUR)).isFalse();

            assertThat(cache.explain("a").timeToLive()).isNull();
        }

        @Test
        void ofACall_endsWithTheNextPutWithOne() {
            cache.put("a", "value", HOUR);
            cache.put("a", "value", Duration.ofSeconds(Long.MAX_VALUE));

            assertThat(cache.explain("a").timeToLive()).isNull();
        }

        @Test
        void zero_isRefusedAndNothingIsStored() {
            assertThatThrownBy(() -> cache.put("a", "value", Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(cache.containsKey("a")).isFalse();
        }
    }

    @Nested
    class Explain {
        @Test
        void presentEntry() {
            cache.put("99", "value");

            EntryExplanation explanation = cache.explain("99");

            assertThat(explanation.entityKey()).isEqualTo("customer:99");
            assertThat(explanation.presence()).isEqualTo(Presence.PRESENT);
            assertThat(explanation.state()).isEqualTo(PartitionState.HEALTHY);
            assertThat(explanation.address())
                    .isEqualTo("embedded:" + explanation.partition().name());
            assertThat(explanation.slotEpoch()).isEqualTo(1);
            assertThat(explanation.sizeBytes()).isPositive();
            assertThat(explanation.stamp()).isNotZero();
        }

        @Test
        void absentEntry() {
            EntryExplanation explanation = cache.explain("99");

            assertThat(explanation.presence()).isEqualTo(Presence.ABSENT);
            assertThat(explanation.timeToLive()).isNull();
            assertThat(explanation.sizeBytes()).isZero();
            assertThat(explanation.stamp()).isZero();
        }

        @Test
        void iteratedEntry_hasTheSameStamp() {
            cache.put("99", "value");

            Cache.Entry<String, String> entry = cache.iterator().next();

            PartitionedEntry<?, ?> stored = entry.unwrap(PartitionedEntry.class);
            assertThat(stored.entityKey()).isEqualTo("customer:99");
            assertThat(stored.stamp()).isEqualTo(cache.explain("99").stamp());
            assertThat(stored.slot()).isEqualTo(cache.explain("99").slot());
        }
    }

    @Nested
    class Async {
        @Test
        void forms_doWhatTheirNamesakesDo() {
            resultOf(cache.putAsync("a", "1"));
            resultOf(cache.putAllAsync(Map.of("b", "2")));
            assertThat(resultOf(cache.getAsync("a"))).isEqualTo("1");
            assertThat(resultOf(cache.getAllAsync(Set.of("a", "b")))).containsOnlyKeys("a", "b");
            assertThat(resultOf(cache.putIfAbsentAsync("a", "x"))).isFalse();
            assertThat(resultOf(cache.getAndPutAsync("a", "2"))).isEqualTo("1");
            assertThat(resultOf(cache.replaceAsync("a", "2", "3"))).isTrue();
            assertThat(resultOf(cache.getAndReplaceAsync("a", "4"))).isEqualTo("3");
            @Nullable String invoked = resultOf(cache.invokeAsync("a", (entry, arguments) -> entry.getValue()));
            assertThat(invoked).isEqualTo("4");
            assertThat(resultOf(cache.removeAsync("a", "x"))).isFalse();
            assertThat(resultOf(cache.getAndRemoveAsync("a"))).isEqualTo("4");
            assertThat(resultOf(cache.containsKeyAsync("a"))).isFalse();
            assertThat(resultOf(cache.getAsync("a"))).isNull();
            resultOf(cache.removeAllAsync(Set.of("b")));
            assertThat(resultOf(cache.removeAsync("b"))).isFalse();
            resultOf(cache.removeAllAsync());
            resultOf(cache.clearAsync());
        }

        @Test
        void run_onThePool() {
            @Nullable
            String thread = resultOf(cache.invokeAsync(
                    "a", (entry, arguments) -> Thread.currentThread().getName()));

            assertThat(thread).startsWith("keyslot-keyslot-async-");
        }

        @Test
        @SuppressWarnings("NullAway") // the test's subject
        void null_isToldAtOnce() {
            for (Runnable call : List.<Runnable>of(
                    () -> cache.getAsync(null),
                    () -> cache.getAllAsync(null),
                    () -> cache.putAsync("a", null),
                    () -> cache.putAsync("a", "value", null),
                    () -> cache.putAllAsync(Map.of(), null),
                    () -> cache.putIfAbsentAsync("a", "value", null),
                    () -> cache.invokeAsync("a", null))) {
                assertThatThrownBy(call::run).isInstanceOf(NullPointerException.class);
            }
        }

        @Test
        void closedCache_isToldAtOnce() {
            cache.close();

            assertThatThrownBy(() -> cache.getAsync("a"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cache customer is closed");
        }

        @Test
        void failure_comesThroughTheStage() {
            CompletableFuture<?> stage =
                    cache.putAsync("a", "value", Duration.ZERO).toCompletableFuture();

            assertThatThrownBy(() -> resultOf(stage))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void fullPool_isToldThroughTheStage() throws Exception {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch running = new CountDownLatch(1);
            CompletionStage<@Nullable Boolean> first = cache.invokeAsync("a", (entry, arguments) -> {
                running.countDown();
                return isOpenSoon(release);
            });
            assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
            CompletionStage<@Nullable String> second = cache.getAsync("a");
            CompletionStage<@Nullable String> third = cache.getAsync("a");

            assertThatThrownBy(() -> resultOf(third)).hasCauseInstanceOf(CacheOverloadedException.class);

            release.countDown();
            assertThat(resultOf(first)).isTrue();
            assertThat(resultOf(second)).isNull();
        }

        @Test
        void whatTheCallerChangesAfterwards_isNotSeen() throws Exception {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch running = new CountDownLatch(1);
            CompletionStage<@Nullable Boolean> first = cache.invokeAsync("a", (entry, arguments) -> {
                running.countDown();
                return isOpenSoon(release);
            });
            assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
            Map<String, String> map = new HashMap<>(Map.of("b", "1"));
            CompletionStage<?> put = cache.putAllAsync(map);
            map.put("c", "2");
            release.countDown();
            resultOf(first);
            resultOf(put);

            assertThat(cache.getAll(new HashSet<>(Set.of("b", "c")))).containsOnlyKeys("b");
        }

        private boolean isOpenSoon(CountDownLatch latch) {
            try {
                return latch.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Nested
    class Close {
        @Test
        void secondClose_doesNothing_alsoToANewCacheOfTheName() {
            cache.close();
            PartitionedCache<String, String> next = embedded.cache("customer");

            cache.close();

            assertThat(next.isClosed()).isFalse();
            assertThat((Object) embedded.manager.getCache("customer")).isSameAs(next);
        }

        @Test
        void closedCache_refusesEverything_andItsEntriesStay() {
            cache.put("a", "value");
            cache.close();

            assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
            assertThat(embedded.cache("customer").get("a")).isEqualTo("value");
        }
    }

    @Nested
    class LoadAll {
        private PartitionedCache<String, String> loading(CacheLoader<String, String> loader) {
            PartitionedConfiguration<String, String> configuration = Embedded.configuration();
            configuration.setCacheLoaderFactory(() -> loader);
            return embedded.cache("loading", configuration);
        }

        /** Fails with an Error. */
        private static final class Broken implements CacheLoader<String, String> {
            @Override
            public String load(String key) {
                throw new StackOverflowError();
            }

            @Override
            public Map<String, String> loadAll(Iterable<? extends String> keys) {
                throw new StackOverflowError();
            }
        }

        @Test
        void errorOfALoader_isTold() {
            CompletionListenerFuture done = new CompletionListenerFuture();

            loading(new Broken()).loadAll(Set.of("a"), true, done);

            assertThatThrownBy(() -> done.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CacheException.class)
                    .hasRootCauseInstanceOf(StackOverflowError.class);
        }

        @Test
        void loadedValues_areThereWhenItIsTold() throws Exception {
            PartitionedCache<String, String> loading = loading(new RecordingLoader(new ArrayList<>()));
            CompletionListenerFuture done = new CompletionListenerFuture();

            loading.loadAll(Set.of("a", "b"), false, done);
            done.get(10, TimeUnit.SECONDS);

            assertThat(loading.getAll(Set.of("a", "b"))).containsOnlyKeys("a", "b");
        }
    }

    @Test
    void limits_areCheckedBeforeAnythingIsDone() {
        PartitionedCache<String, String> small =
                embedded.cache("small", Embedded.configuration().setLimits(new EntryLimits(16, 64, 1)));

        assertThatThrownBy(() -> small.put("x".repeat(20), "value"))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("Cache small: a key has 26 bytes as text, the limit is 16; use shorter keys,"
                        + " or raise limits.keyBytes");
        assertThatThrownBy(() -> small.putAll(Map.of("a", "1", "b", "2")))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("Cache small: a bulk operation has 2 keys, the limit is 1; split it,"
                        + " or raise limits.batchKeys");
        assertThatThrownBy(() -> small.put("a", "x".repeat(100))).isInstanceOf(LimitExceededException.class);
        assertThat(small.containsKey("a")).isFalse();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.LimitExceededException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    }

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

    @Nested
    class Async {
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

        private boolean isOpenSoon(CountDownLatch latch) {
            try {
                return latch.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void secondClose_doesNothing_alsoToANewCacheOfTheName() {
        cache.close();
        PartitionedCache<String, String> next = embedded.cache("customer");

        cache.close();

        assertThat(next.isClosed()).isFalse();
        assertThat((Object) embedded.manager.getCache("customer")).isSameAs(next);
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

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.testkit.EmbeddedKeyslot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A call that another process is always faster than. */
class ContentionTest {
    private static final String KEY = "k";
    private static final int FEWEST_ATTEMPTS = 10;

    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start();

    private final Cache<String, Integer> slow =
            keyslot.cacheManager(0).createCache("sale", new MutableConfiguration<String, Integer>());
    private final Cache<String, Integer> fast =
            keyslot.cacheManager(1).createCache("sale", new MutableConfiguration<String, Integer>());
    private final AtomicInteger attempts = new AtomicInteger();

    @Test
    void callThatAlwaysComesSecond_isRefusedAndHasChangedNothing() {
        assertThatThrownBy(() -> invokeWhileTheOtherPuts(Duration.ofSeconds(1), Integer.MAX_VALUE))
                .isInstanceOf(CacheOverloadedException.class);

        assertThat(attempts).hasValue(FEWEST_ATTEMPTS);
        assertThat(slow.get(KEY)).isEqualTo(FEWEST_ATTEMPTS);
    }

    @Test
    void quickCall_isTriedForFiveSecondsHoweverOften() {
        assertThatThrownBy(() -> invokeWhileTheOtherPuts(Duration.ofMillis(100), Integer.MAX_VALUE))
                .isInstanceOf(CacheOverloadedException.class);

        assertThat(attempts).hasValueBetween(50, 52);
    }

    @Test
    void callThatComesSecondForAWhile_isDone() {
        invokeWhileTheOtherPuts(Duration.ofMillis(100), 49);

        assertThat(slow.get(KEY)).isEqualTo(-1);
    }

    private void invokeWhileTheOtherPuts(Duration pace, int times) {
        slow.invoke(KEY, (entry, arguments) -> {
            entry.setValue(-1);
            if (attempts.get() < times) {
                // Another thread, as a call cannot compete with itself.
                CompletableFuture.runAsync(() -> fast.put(KEY, attempts.incrementAndGet()))
                        .join();
            }
            keyslot.advance(pace);
            return null;
        });
    }
}

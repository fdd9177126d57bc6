// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadedValueTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void timeToLiveThatIsNotPositive_isRejected(long nanos) {
        assertThatThrownBy(() -> new LoadedValue<>("value", Duration.ofNanos(nanos)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeToLive is %s, must be more than zero".formatted(Duration.ofNanos(nanos)));
    }

    @Test
    void shortestTimeToLive_isAccepted() {
        assertThat(new LoadedValue<>("value", Duration.ofNanos(1)).timeToLive()).isEqualTo(Duration.ofNanos(1));
    }

    @Test
    @SuppressWarnings("NullAway") // callers are not all compiled with NullAway
    void noValue_isRejected() {
        assertThatThrownBy(() -> new LoadedValue<>(null, MINUTE))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("value");
    }

    /** What a cache gets: the loader is one of the cache's values by its type only. */
    @Nested
    class Loader {
        private final CacheLoader<String, ?> loader =
                LoadedValue.<String, String>loader(key -> key.isEmpty() ? null : new LoadedValue<>(key + "!", MINUTE));

        @Test
        void load_givesWhatTheFunctionGives() {
            assertThat((Object) loader.load("a")).isEqualTo(new LoadedValue<>("a!", MINUTE));
            assertThat((Object) loader.load("")).isNull();
        }

        @Test
        void loadAll_leavesOutWhatIsNotThere() {
            Map<String, ?> loaded = loader.loadAll(List.of("b", "", "a"));

            assertThat(loaded.keySet()).containsExactly("b", "a");
            assertThat((Object) loaded.get("a")).isEqualTo(new LoadedValue<>("a!", MINUTE));
        }

        @Test
        void failureOfTheFunction_passesThrough() {
            IllegalStateException failure = new IllegalStateException("no database");
            CacheLoader<String, String> failing = LoadedValue.loader(key -> {
                throw failure;
            });

            assertThatThrownBy(() -> failing.load("a")).isSameAs(failure);
            assertThatThrownBy(() -> failing.loadAll(List.of("a"))).isSameAs(failure);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearOptionsTest {
    private static final NearOptions SOME = NearOptions.ofEntries(10_000);

    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(SOME)
                .isEqualTo(new NearOptions(10_000L, null, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO));
        assertThat(NearOptions.ofSize(1 << 20))
                .isEqualTo(new NearOptions(null, 1L << 20, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO));
    }

    @Test
    void everyOption_canBeChangedAlone() {
        assertThat(SOME.withStaleness(Duration.ofSeconds(1))
                        .withValues(NearValues.SHARED)
                        .withWhenMissing(Duration.ofSeconds(30)))
                .isEqualTo(new NearOptions(
                        10_000L, null, Duration.ofSeconds(1), NearValues.SHARED, Duration.ofSeconds(30)));
    }

    @Test
    void bothMaxima_areRefused() {
        assertThatThrownBy(() -> new NearOptions(1L, 1_024L, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Near cache options: maximumEntries is 1 and maximumSize is 1024, must be exactly one of both");
    }

    @Test
    void noMaximum_isRefused() {
        assertThatThrownBy(() -> new NearOptions(null, null, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Near cache options: maximumEntries is null and maximumSize is null, must be exactly one of both");
    }

    @ParameterizedTest
    @CsvSource({"PT0S", "PT0.009S", "PT1M0.001S", "PT-1S"})
    void stalenessOutOfBounds_isRefused(Duration staleness) {
        assertThatThrownBy(() -> SOME.withStaleness(staleness))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Near cache options: staleness is %s, must be from PT0.01S to PT1M", staleness);
    }

    @ParameterizedTest
    @CsvSource({"PT0.01S", "PT1M"})
    void stalenessAtTheBound_isAccepted(Duration staleness) {
        assertThat(SOME.withStaleness(staleness).staleness()).isEqualTo(staleness);
    }

    @Test
    void impossibleOptions_areAllNamedAtOnce() {
        assertThatThrownBy(() -> new NearOptions(0L, 1L, Duration.ZERO, NearValues.COPY, Duration.ofHours(25)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Near cache options: maximumEntries is 0 and maximumSize is 1, must be exactly one of both;"
                        + " maximumEntries is 0, must be from 1 to 999999999;"
                        + " maximumSize is 1, must be from 1024 to 1099511627776;"
                        + " staleness is PT0S, must be from PT0.01S to PT1M;"
                        + " whenMissing is PT25H, must be from PT0S to PT24H");
    }
}

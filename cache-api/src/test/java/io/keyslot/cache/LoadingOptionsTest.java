// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadingOptionsTest {
    private static final LoadingOptions DEFAULTS = LoadingOptions.defaults();
    private static final Duration YEAR = Duration.ofDays(365);

    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(DEFAULTS)
                .isEqualTo(new LoadingOptions(
                        null, Duration.ofMillis(400), 0.1, false, Duration.ZERO, Duration.ZERO, Duration.ZERO, 50));
    }

    @Test
    void everyOption_canBeChangedAlone() {
        LoadingOptions options = DEFAULTS.withTimeout(Duration.ofSeconds(1))
                .withPatience(Duration.ofSeconds(3))
                .withJitter(0.2)
                .withRefreshAhead(true)
                .withStaleWhileRevalidate(Duration.ofSeconds(4))
                .withStaleIfError(Duration.ofSeconds(5))
                .withNegativeTimeToLive(Duration.ofSeconds(6))
                .withBulkhead(7);

        assertThat(options)
                .isEqualTo(new LoadingOptions(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(3),
                        0.2,
                        true,
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6),
                        7));
    }

    @Test
    void largestOptions_areAccepted() {
        LoadingOptions largest = new LoadingOptions(YEAR, YEAR, 0.5, true, YEAR, YEAR, YEAR, 10_000);

        assertThat(largest.bulkhead()).isEqualTo(10_000);
    }

    @Test
    void smallestOptions_areAccepted() {
        LoadingOptions smallest = DEFAULTS.withTimeout(Duration.ofMillis(1))
                .withPatience(Duration.ZERO)
                .withJitter(0)
                .withBulkhead(1);

        assertThat(smallest.timeout()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void impossibleOptions_areAllNamedAtOnce() {
        Duration negative = Duration.ofNanos(-1);
        Duration tooLong = YEAR.plusNanos(1);

        assertThatThrownBy(() ->
                        new LoadingOptions(Duration.ZERO, negative, 0.6, true, negative, tooLong, negative, 10_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Loading options: timeout is PT0S, must be from PT0.001S to PT8760H;"
                        + " patience is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " staleWhileRevalidate is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " staleIfError is PT8760H0.000000001S, must be from PT0S to PT8760H;"
                        + " negativeTimeToLive is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " jitter is 0.6, must be from 0 to 0.5;"
                        + " bulkhead is 10001, must be from 1 to 10000");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void jitterThatIsNoPart_isRejected(double jitter) {
        assertThatThrownBy(() -> DEFAULTS.withJitter(jitter)).isInstanceOf(IllegalArgumentException.class);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of a cache: their defaults, their bounds, and what is said of values beyond these. */
class OptionsTest {
    private static final Duration NEGATIVE = Duration.ofNanos(-1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final NearOptions NEAR = NearOptions.ofEntries(10_000);

    @Test
    void defaults_areTheDocumentedOnes() {
        assertThat(EntryLimits.defaults()).isEqualTo(new EntryLimits(1_024, 8 * 1_024 * 1_024, 10_000));
        assertThat(LoadingOptions.defaults())
                .isEqualTo(new LoadingOptions(
                        null, Duration.ofMillis(400), 0.1, Duration.ZERO, Duration.ZERO, Duration.ZERO, 50));
        assertThat(ScanOptions.defaults())
                .isEqualTo(new ScanOptions(MissingPartitionScanPolicy.FAIL, Duration.ofSeconds(30)));
        assertThat(WriteBehindOptions.defaults())
                .isEqualTo(new WriteBehindOptions(SECOND, 10_000, 100, 20, Duration.ofSeconds(10)));
        assertThat(NEAR)
                .isEqualTo(new NearOptions(10_000L, null, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO));
        assertThat(NearOptions.ofSize(1 << 20))
                .isEqualTo(new NearOptions(null, 1L << 20, Duration.ofSeconds(2), NearValues.COPY, Duration.ZERO));
    }

    @Test
    void largestAndSmallestOptions_areAccepted() {
        assertThat(List.of(
                        new EntryLimits(8_192, 512 * 1_024 * 1_024, 1_000_000),
                        new LoadingOptions(YEAR, YEAR, 0.5, YEAR, YEAR, YEAR, 10_000),
                        new LoadingOptions(
                                Duration.ofMillis(1), Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1),
                        new WriteBehindOptions(HOUR, 1_000_000, 1_000_000, 1_000_000, HOUR),
                        NEAR.withStaleness(Duration.ofMillis(10)),
                        NEAR.withStaleness(Duration.ofMinutes(1))))
                .doesNotHaveDuplicates();
    }

    @Test
    void impossibleOptions_areAllNamedAtOnce() {
        assertThatThrownBy(() -> new EntryLimits(8_193, 63, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Entry limits: keyBytes is 8193, must be from 16 to 8192;"
                        + " valueBytes is 63, must be from 64 to 536870912;"
                        + " batchKeys is 0, must be from 1 to 1000000");
        assertThatThrownBy(() ->
                        new LoadingOptions(Duration.ZERO, NEGATIVE, 0.6, NEGATIVE, YEAR.plusNanos(1), NEGATIVE, 10_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Loading options: timeout is PT0S, must be from PT0.001S to PT8760H;"
                        + " patience is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " staleWhileRevalidate is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " staleIfError is PT8760H0.000000001S, must be from PT0S to PT8760H;"
                        + " negativeTimeToLive is PT-0.000000001S, must be from PT0S to PT8760H;"
                        + " jitter is 0.6, must be from 0 to 0.5;"
                        + " bulkhead is 10001, must be from 1 to 10000");
        assertThatThrownBy(() -> ScanOptions.defaults().withAtMost(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Scan options: atMost is PT0S, must be from 1 ms to 1 h");
        assertThatThrownBy(() -> new WriteBehindOptions(HOUR.plusNanos(1), 0, -1, 1_000_001, NEGATIVE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Write-behind options: delay is PT1H0.000000001S, must be from 0 to 1 h;"
                        + " closeWait is PT-0.000000001S, must be from 0 to 1 h;"
                        + " queue is 0, must be from 1 to 1000000;"
                        + " batch is -1, must be from 1 to 1000000;"
                        + " attempts is 1000001, must be from 1 to 1000000");
        assertThatThrownBy(() -> new NearOptions(0L, 1L, Duration.ZERO, NearValues.COPY, Duration.ofHours(25)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Near cache options: maximumEntries is 0 and maximumSize is 1, must be exactly one of both;"
                        + " maximumEntries is 0, must be from 1 to 999999999;"
                        + " maximumSize is 1, must be from 1024 to 1099511627776;"
                        + " staleness is PT0S, must be from PT0.01S to PT1M;"
                        + " whenMissing is PT25H, must be from PT0S to PT24H");
        assertThatThrownBy(() -> new LoadedValue<>("value", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeToLive is PT0S, must be more than zero");
        assertThatThrownBy(() -> new NearOptions(null, null, SECOND, NearValues.COPY, Duration.ZERO))
                .hasMessageContaining("maximumSize is null, must be exactly one of both");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void jitterThatIsNoPart_isRejected(double jitter) {
        assertThatThrownBy(() -> LoadingOptions.defaults().withJitter(jitter))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

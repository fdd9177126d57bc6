// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @Nested
    class Parse {
        @ParameterizedTest
        @CsvSource({"250ms, PT0.25S", "10s, PT10S", "10m, PT10M", "1h, PT1H", "2d, PT48H", "999999999d, PT23999999976H"
        })
        void numberAndUnit_areRead(String text, Duration length) {
            assertThat(Durations.POSITIVE.parse(text)).contains(length);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", "10", "10 m", "-1s", "1.5s", "1H", "10 parsecs", "1h30m", "0s", "9999999999s", "١s"})
        void otherText_isRefused(String text) {
            assertThat(Durations.POSITIVE.parse(text)).isEmpty();
        }

        @Test
        void longestDuration_fitsIntoMilliseconds() {
            assertThat(Durations.POSITIVE.parse("999999999d").orElseThrow().toMillis())
                    .isPositive();
        }
    }

    @Nested
    class Format {
        @ParameterizedTest
        @ValueSource(strings = {"0ms", "250ms", "1500ms", "90s", "10m", "90m", "1h", "2d", "49h"})
        void text_isInTheLargestWholeUnit(String text) {
            Duration length = Durations.between(Duration.ZERO, Duration.ofDays(9))
                    .parse(text)
                    .orElseThrow();

            assertThat(Durations.format(length)).isEqualTo(text);
        }
    }
}

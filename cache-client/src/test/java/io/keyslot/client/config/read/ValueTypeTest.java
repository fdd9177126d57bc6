// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypeTest {
    @Nested
    class Durations {
        @ParameterizedTest
        @CsvSource({"250ms, PT0.25S", "10s, PT10S", "10m, PT10M", "1h, PT1H", "2d, PT48H", "999999999d, PT23999999976H"
        })
        void numberAndUnit_areRead(String text, Duration length) {
            assertThat(ValueType.DURATION_ABOVE_ZERO.parse(text)).contains(length);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", "10", "10 m", "-1s", "1.5s", "1H", "10 parsecs", "1h30m", "0s", "9999999999s", "١s"})
        void otherText_isRefused(String text) {
            assertThat(ValueType.DURATION_ABOVE_ZERO.parse(text)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"0ms", "250ms", "1500ms", "90s", "10m", "90m", "1h", "2d", "49h"})
        void text_isInTheLargestWholeUnit(String text) {
            Duration length = ValueType.duration(Duration.ZERO, Duration.ofDays(9))
                    .parse(text)
                    .orElseThrow();

            assertThat(ValueType.format(length)).isEqualTo(text);
        }
    }

    @Nested
    class Sizes {
        private static final ValueType<Long> ANY = ValueType.size(0, Long.MAX_VALUE);

        @ParameterizedTest
        @CsvSource({"0, 0", "1000, 1000", "64KiB, 65536", "8MiB, 8388608", "1GiB, 1073741824"})
        void numberAndUnit_areRead(String text, long size) {
            assertThat(ANY.parse(text)).contains(size);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "8MB", "8 MiB", "8mib", "-1", "1.5GiB", "999999999999GiB", "1000000000000"})
        void otherText_isRefused(String text) {
            assertThat(ANY.parse(text)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "1000", "64KiB", "1025KiB", "8MiB", "1024GiB"})
        void text_isInTheLargestWholeUnit(String text) {
            assertThat(ValueType.format(ANY.parse(text).orElseThrow())).isEqualTo(text);
        }
    }

    @Nested
    class Fractions {
        private static final ValueType<Double> HALF = ValueType.fraction(0.5);

        @ParameterizedTest
        @CsvSource({"0, 0", "0%, 0", "0.1, 0.1", "10%, 0.1", "12.5%, 0.125", "0.5, 0.5", "50%, 0.5", "0.500, 0.5"})
        void numberOrPercentage_isRead(String text, double part) {
            assertThat(HALF.parse(text)).contains(part);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "%", ".1", "0,1", "1e-1", "-0.1", "10 %", "0.51", "51%", "50", "10%%", "NaN", "٠"})
        void otherText_isRefused(String text) {
            assertThat(HALF.parse(text)).isEmpty();
        }
    }
}

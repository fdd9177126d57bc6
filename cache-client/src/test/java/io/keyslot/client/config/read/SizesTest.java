// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    private static final ValueType<Long> ANY = Sizes.between(0, Long.MAX_VALUE);

    @Nested
    class Parse {
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
    }

    @Nested
    class Format {
        @ParameterizedTest
        @ValueSource(strings = {"0", "1000", "64KiB", "1025KiB", "8MiB", "1024GiB"})
        void text_isInTheLargestWholeUnit(String text) {
            assertThat(Sizes.format(ANY.parse(text).orElseThrow())).isEqualTo(text);
        }
    }
}

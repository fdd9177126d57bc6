// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AmountsTest {
    @Test
    void count_ofThousands_hasCommas() {
        assertThat(Amounts.count(251_395)).isEqualTo("251,395");
    }

    @Test
    void ratio_hasTwoDecimals() {
        assertThat(Amounts.ratio(1.0449)).isEqualTo("1.04");
    }

    @Test
    void percent_ofAPart_hasOneDecimal() {
        assertThat(Amounts.percent(0.9654)).isEqualTo("96.5 %");
    }

    @Test
    void mebibytes_haveOneDecimal() {
        assertThat(Amounts.mebibytes(12_897_485)).isEqualTo("12.3 MiB");
    }

    @Test
    void millis_ofNanoseconds_haveThreeDecimals() {
        assertThat(Amounts.millis(12_345)).isEqualTo("0.012");
    }

    @Test
    void duration_belowASecond_isInMilliseconds() {
        assertThat(Amounts.duration(Duration.ofNanos(1_234_000))).isEqualTo("1.2 ms");
    }

    @Test
    void duration_fromASecondOn_isInSeconds() {
        assertThat(Amounts.duration(Duration.ofMillis(5_930))).isEqualTo("5.9 s");
    }
}

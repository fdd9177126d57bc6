// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FractionsTest {
    private static final ValueType<Double> HALF = Fractions.upTo(0.5);

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

    @Test
    void rule_namesTheBound() {
        assertThat(HALF.rule()).isEqualTo("must be a fraction from 0 to 0.5, such as 0.1 or 10%");
    }
}

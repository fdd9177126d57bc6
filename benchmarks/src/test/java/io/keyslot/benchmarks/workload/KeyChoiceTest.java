// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyChoiceTest {
    private static final int KEYS = 1_000;
    private static final int LENGTH = 20_000;

    @ParameterizedTest
    @EnumSource
    void sameSeed_choosesTheSameKeys(KeyChoice choice) {
        int[] chosen = choice.choose(KEYS, LENGTH, 1);

        int[] again = choice.choose(KEYS, LENGTH, 1);

        assertThat(again).isEqualTo(chosen);
        assertThat(choice.choose(KEYS, LENGTH, 2)).isNotEqualTo(chosen);
    }

    @ParameterizedTest
    @EnumSource
    void chosenKeys_exist(KeyChoice choice) {
        assertThat(choice.choose(KEYS, LENGTH, 1)).hasSize(LENGTH);
        assertThat(Arrays.stream(choice.choose(KEYS, LENGTH, 1))).allMatch(key -> key >= 0 && key < KEYS);
    }

    @Test
    void uniform_asksForTheFirstTenthOfTheKeysInATenthOfAllCases() {
        assertThat(shareOfFirstTenth(KeyChoice.UNIFORM)).isBetween(0.09, 0.11);
    }

    @Test
    void zipf_asksForTheFirstTenthOfTheKeysInTwoThirdsOfAllCases() {
        assertThat(shareOfFirstTenth(KeyChoice.ZIPF)).isBetween(0.66, 0.72);
    }

    private static double shareOfFirstTenth(KeyChoice choice) {
        return Arrays.stream(choice.choose(KEYS, LENGTH, 1))
                        .filter(key -> key < KEYS / 10)
                        .count()
                / (double) LENGTH;
    }
}

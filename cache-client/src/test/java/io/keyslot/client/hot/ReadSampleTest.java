// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadSampleTest {

    private final ReadSample sample = new ReadSample(new SampleOfAll(7, 0), 0);
    private final SampledReads reads = new SampledReads(() -> sample);

    @Test
    void fewReads_areCountedEachOne() {
        reads.read(1_000, 10);

        assertThat(reads.counted()).isEqualTo(10_000);
        assertThat(sample.oneIn()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 100_000, 1_000_000, 4_000_000})
    void howeverMany_fewAreCounted_andStandForAll(int aSecond) {
        reads.read(aSecond, 2);
        reads.read(aSecond, 5);

        assertThat(reads.counted() / 5).isBetween(ReadSample.MOST_A_SECOND / 5L, (long) ReadSample.MOST_A_SECOND);
        assertThat(reads.weights() / (5.0 * aSecond)).isCloseTo(1, within(0.1));
    }

    @Test
    void afterAStorm_eachOneIsCountedAgain() {
        reads.read(1_000_000, 2);
        reads.read(100, 20);
        reads.read(100, 1);

        assertThat(sample.oneIn()).isEqualTo(1);
        assertThat(reads.counted()).isEqualTo(100);
    }

    @Test
    void samplesAreNotInTurn() {
        reads.read(1_000_000, 1);
        int longest = 0;
        int shortest = Integer.MAX_VALUE;
        int gap = 0;
        for (int i = 0; i < 1_000_000; i++) {
            gap++;
            if (sample.chosen() > 0) {
                longest = Math.max(longest, gap);
                shortest = Math.min(shortest, gap);
                gap = 0;
            }
        }

        assertThat(shortest).isLessThan(sample.oneIn() / 8);
        assertThat(longest).isGreaterThan(4 * sample.oneIn());
    }
}

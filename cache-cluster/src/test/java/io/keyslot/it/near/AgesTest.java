// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class AgesTest {
    private final Ages ages = new Ages();

    @Test
    void small_areExact() {
        LongStream.range(0, 20).forEach(ages::add);

        assertThat(ages.percentile(0.5)).isEqualTo(9);
        assertThat(ages.percentile(1)).isEqualTo(19);
    }

    @Test
    void large_areWithinSevenPercent() {
        LongStream.rangeClosed(1, 100_000).map(number -> number * 1_000).forEach(ages::add);

        assertThat((double) ages.percentile(0.5)).isCloseTo(50e6, Percentage.withPercentage(7));
        assertThat((double) ages.percentile(0.99)).isCloseTo(99e6, Percentage.withPercentage(7));
        assertThat(ages.longest()).isEqualTo(100_000_000);
        assertThat(ages.count()).isEqualTo(100_000);
    }

    @Test
    void ofSeveralThreads_areAdded() {
        Ages others = new Ages();
        ages.add(5);
        others.add(7);

        ages.add(others);

        assertThat(ages.count()).isEqualTo(2);
        assertThat((double) ages.longest()).isCloseTo(7, within(0.1));
    }
}

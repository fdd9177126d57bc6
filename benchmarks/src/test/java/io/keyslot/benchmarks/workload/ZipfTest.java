// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
    private static final int RANKS = 1_000;

    private final Zipf zipf = new Zipf(RANKS, 0.99);

    @Test
    void probabilities_areAWhole() {
        assertThat(IntStream.range(0, RANKS).mapToDouble(zipf::probability).sum())
                .isCloseTo(1, within(1e-9));
    }

    @Test
    void probability_fallsWithThePowerOfTheRank() {
        double first = zipf.probability(0);

        assertThat(zipf.probability(1)).isCloseTo(first / Math.pow(2, 0.99), within(1e-9));
        assertThat(zipf.probability(999)).isCloseTo(first / Math.pow(1_000, 0.99), within(1e-9));
    }

    @Test
    void ends_areTheFirstAndTheLastRank() {
        assertThat(zipf.rank(0)).isZero();
        assertThat(zipf.rank(Math.nextDown(1.0))).isEqualTo(RANKS - 1);
    }

    @Test
    void pointAtABorder_belongsToTheNextRank() {
        assertThat(zipf.rank(zipf.probability(0))).isEqualTo(1);
        assertThat(zipf.rank(Math.nextDown(zipf.probability(0)))).isZero();
    }

    @Test
    void frequencies_areTheProbabilities() {
        int draws = 200_000;
        int[] counts = new int[RANKS];

        new Random(7).doubles(draws).mapToInt(zipf::rank).forEach(rank -> counts[rank]++);

        assertThat((double) counts[0] / draws).isCloseTo(zipf.probability(0), within(0.005));
        assertThat((double) counts[9] / draws).isCloseTo(zipf.probability(9), within(0.002));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Nested
    class Percentile {
        @Test
        void nothingRecorded_is0() {
            assertThat(histogram.percentile(99)).isZero();
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 63, 64, 65, 127, 128, 1_000, 123_456_789, Long.MAX_VALUE / 2})
        void oneLatency_isAtMostAFewPercentTooHigh(long nanos) {
            histogram.record(nanos);

            assertThat(histogram.percentile(50)).isBetween(nanos, nanos + nanos / 64);
        }

        @Test
        void negativeLatency_countsAs0() {
            histogram.record(-5);

            assertThat(histogram.percentile(100)).isZero();
        }

        @Test
        void manyLatencies_areThoseOfTheSortedOnes() {
            long seed = 11;
            long[] nanos = new Random(seed).longs(10_001, 0, 50_000_000).toArray();
            Arrays.stream(nanos).forEach(histogram::record);
            Arrays.sort(nanos);

            for (double percent : new double[] {0, 1, 50, 99, 99.9, 100}) {
                long exact = nanos[Math.max(0, (int) Math.ceil(percent / 100 * nanos.length) - 1)];
                assertThat(histogram.percentile(percent))
                        .as("percentile %s, seed %d", percent, seed)
                        .isBetween(exact, exact + exact / 64);
            }
        }
    }

    @Test
    void added_countsBoth() {
        LatencyHistogram other = new LatencyHistogram();
        histogram.record(10);
        other.record(30);

        histogram.add(other);

        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.percentile(50)).isEqualTo(10);
        assertThat(histogram.percentile(100)).isEqualTo(30);
    }

    @Test
    void cleared_hasNothing() {
        histogram.record(10);

        histogram.clear();

        assertThat(histogram.count()).isZero();
        assertThat(histogram.percentile(100)).isZero();
    }
}

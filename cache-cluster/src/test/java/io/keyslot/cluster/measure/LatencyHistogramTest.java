// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void percentile_withoutCalls_isZero() {
        assertThat(histogram.percentile(0.99)).isZero();
        assertThat(histogram.longest()).isZero();
        assertThat(histogram.count()).isZero();
    }

    @Test
    void percentile_ofSmallNumbers_isExact() {
        for (int nanos = 1; nanos <= 63; nanos++) {
            histogram.record(nanos);
        }

        assertThat(histogram.percentile(0.5)).isEqualTo(32);
        assertThat(histogram.percentile(1)).isEqualTo(63);
        assertThat(histogram.count()).isEqualTo(63);
    }

    @Test
    void percentile_ofRandomTimes_isAtMostOneSixtyFourthTooLong() {
        long seed = 20_261_121;
        Random random = new Random(seed);
        long[] times = random.longs(10_000, 1, 5_000_000_000L).toArray();
        Arrays.stream(times).forEach(histogram::record);
        Arrays.sort(times);

        for (double part : new double[] {0.001, 0.25, 0.5, 0.9, 0.99, 1}) {
            long exact = times[(int) Math.ceil(part * times.length) - 1];
            assertThat(histogram.percentile(part))
                    .as("part %s, seed %d", part, seed)
                    .isBetween(exact, exact + exact / 64);
        }
    }

    @Test
    void percentile_ofOneCall_neverIsShorterThanIt() {
        for (int bit = 0; bit < 42; bit++) {
            LatencyHistogram one = new LatencyHistogram();
            long nanos = 1L << bit;
            one.record(nanos);

            assertThat(one.percentile(0.5)).as("%d ns", nanos).isBetween(nanos, nanos + nanos / 64);
        }
    }

    @Test
    void record_ofATimeBeyondTheLongest_countsAsTheLongest() {
        histogram.record(Long.MAX_VALUE);

        assertThat(histogram.longest()).isEqualTo((1L << 42) - 1);
    }

    @Test
    void record_ofANegativeTime_countsAsZero() {
        histogram.record(-5);

        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.longest()).isZero();
    }

    @Test
    void add_countsTheCallsOfBoth() {
        LatencyHistogram other = new LatencyHistogram();
        histogram.record(10);
        other.record(30);

        histogram.add(other);

        assertThat(histogram.count()).isEqualTo(2);
        assertThat(histogram.percentile(0.5)).isEqualTo(10);
        assertThat(histogram.longest()).isEqualTo(30);
    }

    @Test
    void clear_forgetsAllCalls() {
        histogram.record(10);

        histogram.clear();

        assertThat(histogram.count()).isZero();
        assertThat(histogram.longest()).isZero();
    }
}

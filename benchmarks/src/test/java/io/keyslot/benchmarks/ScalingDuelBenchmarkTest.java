// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScalingDuelBenchmarkTest {
    @Test
    void bothSides_haveTheSameEntries() {
        ScalingDuelBenchmark benchmark = new ScalingDuelBenchmark(8, 7, 150);
        benchmark.prepare();
        try {
            for (int i = 0; i < 1_000; i++) {
                assertThat(benchmark.getOfMany()).isEqualTo(benchmark.getOfFew());
            }
        } finally {
            benchmark.end();
        }
    }
}

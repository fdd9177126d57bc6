// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingBenchmarkTest {
    @ParameterizedTest
    @CsvSource({"3, 1, 300", "8, 1, 400", "3, 7, 150"})
    void everyEntry_isInItsCache(int partitions, int caches, int entries) {
        ScalingBenchmark benchmark = new ScalingBenchmark(partitions, caches, entries, 0);
        ScalingBenchmark.Position position = new ScalingBenchmark.Position();
        benchmark.prepare();
        try {
            for (int i = 0; i < 1_000; i++) {
                benchmark.put(position);
                assertThat(benchmark.get(position)).isNotNull();
            }
        } finally {
            benchmark.end();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.ScalingBenchmark.Reference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingBenchmarkTest {
    @ParameterizedTest
    @CsvSource({"3, 1, 300, MAP", "8, 1, 400, FEW", "3, 7, 150, FEW", "8, 7, 150, MAP"})
    void bothSides_haveAllEntries(int partitions, int caches, int entries, Reference reference) {
        ScalingBenchmark benchmark = new ScalingBenchmark(partitions, caches, entries, 0, reference);
        benchmark.prepare();
        try {
            for (int entry = 0; entry < entries; entry++) {
                assertThat(benchmark.getOfMany(entry)).isEqualTo(benchmark.getOfReference(entry));
            }
        } finally {
            benchmark.end();
        }
    }
}

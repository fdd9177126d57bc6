// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MapBenchmarkTest {
    @Test
    void everyEntry_isThere() {
        MapBenchmark benchmark = new MapBenchmark(100);
        ScalingBenchmark.Position position = new ScalingBenchmark.Position();
        benchmark.prepare();

        for (int i = 0; i < 1_000; i++) {
            assertThat(benchmark.get(position)).isNotNull();
        }
        benchmark.end();
    }
}

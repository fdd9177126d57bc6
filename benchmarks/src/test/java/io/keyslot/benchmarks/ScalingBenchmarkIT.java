// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX) // It listens at 127.0.0.2.
class ScalingBenchmarkIT {
    @Test
    void addressesOfAServer_arePartitions() {
        ScalingBenchmark benchmark = new ScalingBenchmark(6, 1, 300, 2, ScalingBenchmark.Reference.FEW);
        benchmark.prepare();
        try {
            for (int entry = 0; entry < 300; entry++) {
                assertThat(benchmark.getOfMany(entry)).isEqualTo(benchmark.getOfReference(entry));
            }
        } finally {
            benchmark.end();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.ScanBenchmark.Where;
import io.keyslot.cache.ScanResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanBenchmarkTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void anyNumberOfPartitions_givesTheSameEntries(int partitions) {
        ScanBenchmark benchmark = new ScanBenchmark(Where.EMBEDDED, partitions, 5_000);
        benchmark.prepare();
        try {
            ScanResult<String, String> result = benchmark.top();

            assertThat(result.entries())
                    .hasSize(10)
                    .allSatisfy(entry -> assertThat(entry.getValue()).contains(", 99 pieces"));
            assertThat(result.truncated()).isTrue();
        } finally {
            benchmark.end();
        }
    }
}

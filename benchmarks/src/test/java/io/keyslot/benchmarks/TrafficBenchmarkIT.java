// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class TrafficBenchmarkIT {
    @Test
    void bothClients_findWhatOneHasStored() {
        TrafficBenchmark benchmark = new TrafficBenchmark(1_000);
        benchmark.prepare();
        try {
            assertThat(benchmark.countingCache().get("k999")).hasSize(200);
            assertThatCode(benchmark::get).doesNotThrowAnyException();
        } finally {
            benchmark.end();
        }
    }
}

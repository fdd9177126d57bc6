// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.HashSlotBenchmark.KeyShape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HashSlotBenchmarkTest {
    @ParameterizedTest
    @EnumSource
    void bothArithmetics_findTheSameSlot(KeyShape shape) {
        HashSlotBenchmark benchmark = new HashSlotBenchmark(shape);

        assertThat(benchmark.keyslot()).isEqualTo(benchmark.lettuce());
    }

    @ParameterizedTest
    @CsvSource({"SHORT, 11", "HASH_TAG, 24", "BYTES_64, 64"})
    void keys_areAsLongAsTheirReportSays(KeyShape shape, int bytes) {
        assertThat(shape.bytes()).hasSize(bytes);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHORT", "HASH_TAG"})
    void keyWithAHashTag_isInTheSlotOfItsTag(KeyShape shape) {
        assertThat(new HashSlotBenchmark(shape).keyslot()).isEqualTo(new HashSlotBenchmark(KeyShape.SHORT).keyslot());
    }
}

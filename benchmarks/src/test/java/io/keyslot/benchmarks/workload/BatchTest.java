// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchTest {
    private final List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();

    @Test
    void all_hasEachKeyOnce() {
        assertThat(Batch.all(1_234, samples).stream().flatMap(batch -> batch.ids().stream()))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 1_234).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void chosenBatches_haveSoManyDifferentKeys(KeyChoice choice) {
        List<Batch> batches = Batch.chosen(choice, 1_000, 10, 100, samples, 1);

        assertThat(batches).hasSize(10).allSatisfy(batch -> {
            assertThat(batch.ids()).hasSize(100).doesNotHaveDuplicates();
            assertThat(batch.keys()).containsExactlyElementsOf(batch.ids());
        });
    }

    @Test
    void fewerKeysThanABatchNeeds_areRefused() {
        assertThatThrownBy(() -> Batch.chosen(KeyChoice.UNIFORM, 99, 1, 100, samples, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("100")
                .hasMessageContaining("99");
    }
}

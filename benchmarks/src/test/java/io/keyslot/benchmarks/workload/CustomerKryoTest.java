// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CustomerKryoTest {
    @ParameterizedTest
    @EnumSource
    void customer_comesBack(ValueSize size) {
        for (EncodedCustomer sample : size.samples()) {
            assertThat(CustomerKryo.decode(sample.bytes())).isEqualTo(sample.customer());
        }
    }

    @Test
    void partOfAnArray_isRead() {
        EncodedCustomer sample = ValueSize.BYTES_200.samples().get(5);
        byte[] padded = new byte[sample.bytes().length + 7];
        Arrays.fill(padded, (byte) -1);
        System.arraycopy(sample.bytes(), 0, padded, 3, sample.bytes().length);

        assertThat(CustomerKryo.decode(padded, 3, sample.bytes().length)).isEqualTo(sample.customer());
    }

    @ParameterizedTest
    @CsvSource({"BYTES_200, 200", "KIB_8, 8192"})
    void encodedValues_areAsLongAsTheirNameSays(ValueSize size, int bytes) {
        assertThat(size.samples())
                .allSatisfy(sample -> assertThat(sample.bytes().length).isBetween(bytes * 97 / 100, bytes * 103 / 100));
    }

    @Test
    void visit_changesNothingElse() {
        Customer before = Customer.sample(1, 20);

        Customer after = before.visitedAgain();

        assertThat(after.visits()).isEqualTo(1);
        assertThat(before.visits()).isZero();
        assertThat(after).isNotEqualTo(before).hasSameHashCodeAs(before);
    }
}

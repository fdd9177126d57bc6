// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CodecBenchmarkTest {
    @ParameterizedTest
    @EnumSource
    void decode_givesTheCustomers(CodecBenchmark.Coder coder) {
        CodecBenchmark benchmark = new CodecBenchmark(coder);
        Set<Customer> samples = ValueSize.BYTES_200.samples().stream()
                .map(EncodedCustomer::customer)
                .collect(Collectors.toSet());

        Set<Customer> decoded = new HashSet<>();
        samples.forEach(sample -> decoded.add(benchmark.decode()));

        assertThat(decoded).isEqualTo(samples);
        assertThat(benchmark.encode()).hasSizeBetween(100, 300);
    }
}

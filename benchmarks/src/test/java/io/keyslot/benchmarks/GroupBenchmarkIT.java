// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class GroupBenchmarkIT {
    @Test
    void bothSidesOfEachComparison_storeAndFindWhatTheyMust() {
        GroupBenchmark benchmark = new GroupBenchmark(1_000);
        try {
            benchmark.prepare();

            assertThatCode(() -> {
                        benchmark.range();
                        benchmark.mget();
                        benchmark.transactionOfRowsAgainstSets();
                        benchmark.transactionAgainstSets();
                    })
                    .doesNotThrowAnyException();
        } finally {
            benchmark.end();
        }
    }
}

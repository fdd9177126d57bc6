// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.GroupTransactionBenchmark.Group;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.cache.GroupRows;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupBenchmarksIT {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bothSidesOfATransaction_store20Entries(boolean indexed) {
        GroupTransactionBenchmark benchmark = new GroupTransactionBenchmark(indexed);
        benchmark.prepare();
        try {
            Group group = benchmark.nextGroup();

            benchmark.transact(group);
            benchmark.set(group);

            assertThat(benchmark.opened().orders().getAll(Set.copyOf(group.keys())))
                    .hasSize(20);
            assertThat(benchmark.opened().lettuce().sync().exists(group.stored()))
                    .isEqualTo(20);
        } finally {
            benchmark.end();
        }
    }

    @Test
    void bothSidesOfARange_read50Rows() {
        GroupRowsBenchmark benchmark = new GroupRowsBenchmark(1_000);
        benchmark.prepare();
        try {
            GroupRows<Customer> rows =
                    benchmark.opened().manager().group(GroupTrial.root(99)).rows("order", Customer.class);

            assertThat(benchmark.range(rows, 700)).isEqualTo(50);
            assertThat(benchmark.mget(700)).isEqualTo(50);
        } finally {
            benchmark.end();
        }
    }
}

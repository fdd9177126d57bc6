// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.KeyChoice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CacheBenchmarkTest {
    private final CacheBenchmark benchmark =
            new CacheBenchmark(ContenderType.of("keyslot-embedded"), KeyChoice.ZIPF, 500);
    private final Caller caller = new Caller();

    @BeforeEach
    void prepare() {
        benchmark.prepare();
        caller.prepare(benchmark, 0);
    }

    @AfterEach
    void end() {
        benchmark.end();
    }

    @Test
    void everyKey_isThere() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(benchmark.get(caller)).isInstanceOf(Customer.class);
        }
    }

    @Test
    void mixedLoad_writesOneOfTwentyTimes() {
        int writes = 0;
        for (int i = 0; i < 1_000; i++) {
            writes += benchmark.mixed95(caller) == null ? 1 : 0;
        }

        assertThat(writes).isEqualTo(50);
    }

    @Test
    void bulkRead_finds100Entries() {
        benchmark.putAll(caller);

        assertThat(benchmark.getAll(caller)).hasSize(100);
    }

    @Test
    void invokeAndTransaction_returnTheNumberOfVisits() {
        benchmark.put(caller);

        assertThat(benchmark.invoke(caller)).isPositive();
        assertThat(benchmark.transaction(caller)).isPositive();
    }

    @Test
    void benchmarkThatIsNotPrepared_saysSo() {
        CacheBenchmark fresh = new CacheBenchmark(ContenderType.of("keyslot-embedded"), KeyChoice.UNIFORM, 500);

        assertThatThrownBy(fresh::end).isInstanceOf(IllegalStateException.class).hasMessageContaining("prepare");
    }
}
